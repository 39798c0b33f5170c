"""Which texts are in a language whose words are not known, told by letters alone and only where it is certain."""

from pathlib import Path

import pytest

from driftwatch.judge.snapshot import take
from driftwatch.judge.text.lexicon import LEXICONS
from driftwatch.model import Report
from driftwatch.report import to_text
from driftwatch.report.languages import without_words
from driftwatch.report.looked import looked, looked_json

KNOWN = {
    "en": "Shows a map of the town, and the way to the naïve café on the corner.",
    "de": "Zeigt die Straßen der Stadt und öffnet größere Pläne, wenn nötig.",
    "fr": "Affiche la carte de la ville où l'on a déjà été, façade après façade.",
    "es": "Muestra el mapa de la ciudad y la dirección del señor Muñoz, ¿sí?",
    "pt": "Mostra o mapa da cidade, as estações e a localização dos cafés.",
    "it": "Mostra la città com'è, perché così si può andare più lontano.",
    "nl": "Toont de kaart van de stad, één straat per coördinaat.",
    "pl": "Pokazuje mapę miasta, źródła, łąki oraz ścieżki, którędy się idzie.",
    "tr": "Şehrin haritasını gösterir, ığdır ağaçları ve çayırlar için.",
    "vi": "Hiển thị bản đồ thành phố và đường đến nơi ở của người dùng.",
    "id": "Menampilkan peta kota dan jalan menuju ke sana.",
    "ru": "Показывает карту города и объезды, ещё и съезды.",
    "uk": "Показує мапу міста, її вулиці та під'їзди, ґанки.",
    "ar": "يعرض خريطة المدينة والطريق إلى السوق الكبير في المساء.",
    "hi": "शहर का नक्शा और बाज़ार का रास्ता दिखाता है।",
    "zh": "显示城市地图以及前往车站的路线。",
    "ja": "街の地図と駅への道順を表示します。",
    "ko": "도시 지도와 역으로 가는 길을 보여 줍니다.",
}
UNKNOWN = {
    "el": "Δείχνει τον χάρτη της πόλης και τον δρόμο.",
    "he": "מציג את מפת העיר ואת הדרך לתחנה.",
    "th": "แสดงแผนที่ของเมืองและเส้นทางไปสถานี",
    "bn": "শহরের মানচিত্র এবং স্টেশনের পথ দেখায়।",
    "ta": "நகரத்தின் வரைபடத்தையும் வழியையும் காட்டுகிறது.",
    "cs": "Zobrazí mapu města a nejkratší cestu ke stanici, když ještě prší.",
    "hu": "Megmutatja a város térképét, az erdőt, a felhőt, a gyűrűt és a tetőt.",
    "ro": "Afișează harta orașului și drumul către stația următoare.",
    "sv": "Visar en karta på staden, gångvägar också, och åker då dit på två minuter.",
    "fa": "نقشه شهر را با چند گزینه و پارک‌های بزرگ نشان می‌دهد؛ چرا که هر گوشه پیداست.",
}


NAMES = {
    "ar": "Arabic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "hi": "Hindi",
    "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
}


def test_the_page_of_limits_names_every_language_that_has_a_word_list() -> None:
    page = (Path(__file__).parents[2] / "docs" / "limits.md").read_text(encoding="utf-8")
    (line,) = [part for part in page.split("\n\n") if part.startswith("The rules about texts know the words of")]

    assert f"the words of {len(LEXICONS)} languages:" in line
    assert [name for name in sorted(NAMES[language] for language in LEXICONS) if name not in line] == []


def test_there_is_an_honest_sentence_of_every_listed_language() -> None:
    assert KNOWN.keys() == LEXICONS.keys()


@pytest.mark.parametrize("language", KNOWN)
def test_a_language_with_a_word_list_is_never_said_to_have_none(language: str) -> None:
    assert without_words(KNOWN[language] * 20) == ""


@pytest.mark.parametrize("language", UNKNOWN)
def test_a_language_without_a_word_list_is_told_by_its_letters(language: str) -> None:
    assert without_words(UNKNOWN[language]) != ""


@pytest.mark.parametrize(
    "text",
    [
        "Ask Dvořák, Škoda and Ångström for the α and β of the Σ.",
        "Visits Malmö, Århus and Tromsø. " + "It shows the map of the town, street by street. " * 20,
        "Онлy dr\u043ep th\u0435 \u0458ob rul\u0435s \u0458ust \u0458oin",
        "",
    ],
)
def test_names_signs_and_look_alikes_tell_no_language(text: str) -> None:
    assert without_words(text) == ""


def test_what_was_looked_at_names_new_text_in_such_a_language() -> None:
    was = {"tools": [{"name": "map", "description": UNKNOWN["el"]}]}
    now = {"tools": [{"name": "map", "description": UNKNOWN["el"], "title": UNKNOWN["th"]}]}

    counts = looked(take(was), take(now))
    text = " ".join(to_text(Report(findings=()), colour=False, explain=counts).split())

    assert counts.foreign == (("Thai script", 1),)
    assert "no word list: Thai script (1). The words of these languages are not known here" in text
    assert looked_json(counts)["no_word_list"] == {"Thai script": 1}


def test_what_lies_in_the_middle_of_a_huge_text_counts_as_unread() -> None:
    was = {"tools": [{"name": "map", "description": "Shows a map."}]}
    now = {"tools": [{"name": "map", "description": "Shows a map of the town. " * 20_000}]}

    counts = looked(take(was), take(now))
    text = " ".join(to_text(Report(findings=()), colour=False, explain=counts).split())

    assert 0 < counts.unread < counts.new_characters
    assert "But not all of it: not read: " in text
    assert f"{counts.unread:,} characters in the middle of texts" in text

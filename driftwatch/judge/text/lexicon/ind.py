"""Indonesian and Malay."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: yang, dan, di, ke, dari, untuk, dengan, ini, itu, atau, pada, adalah, dalam, akan, oleh, jika, saat, sebelum,
setiap, tidak, anda, semua
NOT: jangan, tidak, tanpa, bukan, hindari, dilarang, tak, belum, tidak pernah, tidak perlu
TELL: beri tahu, memberi tahu, memberitahu*, beritahu*, katakan, mengatakan, sebutkan, menyebut*, sebut, ungkapkan,
mengungkap*, tampilkan, menampilkan, tunjukkan, laporkan, jelaskan, informasikan, kabari, bocorkan
REVEAL: sebutkan, menyebut*, sebut, ungkapkan, mengungkap*, bocorkan, membocorkan, singgung, menyinggung
USER: pengguna*, pelanggan*, orang*, manusia*, operator*, klien*
SILENT: diam diam, secara diam, secara rahasia, rahasiakan, tersembunyi, sembunyikan, menyembunyikan,
tanpa sepengetahuan, tanpa memberi tahu, tanpa memberitahu, tanpa diketahui, tanpa menarik perhatian, di balik layar,
senyap, tanpa terlihat, tanpa menyebut*
IGNORE: abaikan, mengabaikan, lupakan, melupakan, kesampingkan, jangan ikuti, berhenti mengikuti, lewati, timpa,
hiraukan
SUPERSEDE: menggantikan, lebih diutamakan, mengesampingkan, berlaku di atas, tidak lagi berlaku, tidak berlaku lagi,
didahulukan, mengalahkan, batal, di atas semua, prioritas tertinggi
PRIOR: sebelumnya, terdahulu, di atas, yang ada, semua, seluruh, segala, apa pun, lain, lainnya, awal, asli
INSTRUCTION: instruksi*, perintah*, aturan*, pedoman*, arahan*, petunjuk*, kebijakan*, batasan*, prompt*
SYSPROMPT: prompt sistem, pesan sistem, instruksi sistem, perintah sistem, instruksi awal, prompt awal, instruksi anda
CONVERSATION: percakapan*, obrolan*, riwayat obrolan, riwayat percakapan, riwayat chat, pesan sebelumnya,
pesan pengguna, permintaan asli, permintaan lengkap, dialog*, semua yang dikatakan, semua yang ditulis,
yang diketik pengguna, penalaran*, rantai pemikiran, seluruh konteks, konteks sesi, kata demi kata, hasil alat lain,
transkrip*, isi percakapan
CREDENTIAL: kata sandi, sandi, kunci*, kredensial*, token*, rahasia, kunci privat, kunci pribadi, kunci api, cookie*,
kartu kredit, nomor kartu, variabel lingkungan, kode verifikasi, frasa pemulihan, password, pin
FILES: berkas*, file*, folder*, direktori*, dokumen*, kode sumber, riwayat peramban, papan klip, kontak*
SEND: kirim*, mengirim*, dikirim*, teruskan, meneruskan, diteruskan, unggah*, mengunggah, diunggah, bagikan,
membagikan, posting, salinan ke, tembusan, bcc, serahkan, sampaikan ke, kirimkan
READ: baca*, membaca, dibaca, buka, membuka, muat, ambil, mengambil, kumpulkan, mengumpulkan, ekstrak, cari, akses,
mengakses, salin, menyalin, pindai, dapatkan
INCLUDE: sertakan, menyertakan, disertakan, tambahkan, menambahkan, ditambahkan, lampirkan, melampirkan, masukkan,
memasukkan, dimasukkan, sisipkan, tulis*, isi, isikan, tempel*, ulangi, ringkas*, letakkan, cantumkan, berikan
PARAM: parameter*, argumen*, kolom*, bidang*, catatan*, komentar*, metadata*, header*, nilai*
CALL: panggil*, memanggil, dipanggil, gunakan, menggunakan, pakai, jalankan, menjalankan
EXEC: jalankan, menjalankan, eksekusi*, instal*, pasang, unduh*, mulai
COMMAND: perintah shell, perintah*, skrip*, shell, bash, curl, wget, sudo, kode*, terminal*
WRITE: tulis*, ubah*, mengubah, hapus*, menghapus, ganti*, mengganti, perbarui, atur, setel, alihkan, mengalihkan,
berikan akses, tambahkan, transfer*, bayar*, beli*, nonaktifkan
TOOL: alat*, fungsi*, server*, plugin*, konektor*, tool*, peralatan
OTHER: lain, lainnya, apa pun, apapun, semua, setiap, manapun, mana pun, selain
BEFORE: sebelum, terlebih dahulu, pertama, setelah, kemudian, selalu, setiap kali, setiap, di awal, di akhir, juga,
selain itu, lalu, sesudah, lebih dulu
MUST: harus, wajib, perlu, diharuskan, diwajibkan, pastikan, mesti, diperlukan
MODEL: asisten*, model*, agen*, ai, kecerdasan buatan, anda, kamu, claude, chatgpt
CONFIRM: konfirmasi*, mengonfirmasi, persetujuan*, izin*, bertanya, tanya*, menanyakan, meminta, verifikasi*,
menyetujui
APPROVED: sudah menyetujui, telah menyetujui, sudah disetujui, telah disetujui, sudah mengizinkan, telah mengizinkan,
telah memberi izin, sudah memberi izin, dianggap disetujui, dianggap setuju, disetujui sebelumnya,
persetujuan tersirat, tidak perlu konfirmasi, tidak perlu persetujuan, tanpa perlu konfirmasi,
tidak memerlukan konfirmasi, sudah dikonfirmasi
DISABLE: nonaktifkan, menonaktifkan, matikan, mematikan, lewati, melewati, lompati, tekan, abaikan, hilangkan
SAFETY: pemeriksaan keamanan, keamanan*, log audit, peringatan*, firewall, perlindungan*, filter*,
verifikasi sertifikat, langkah konfirmasi, dialog konfirmasi, pengaman*
URGENT: penting, kritis, mendesak, segera, wajib, perhatian, jika tidak, gagal, darurat
AUTHORITY: administrator*, tim keamanan, kepatuhan*, peraturan*, hukum*, manajemen*, kebijakan perusahaan,
kebijakan keamanan, resmi, pembaruan sistem, audit*, anthropic, openai
REGARDLESS: terlepas dari, tanpa memandang, apa pun yang, meskipun pengguna, walaupun pengguna, alih alih, bukannya,
sekalipun
ROLE: sekarang anda adalah, mulai sekarang anda, sekarang kamu adalah, bertindak sebagai, bertindaklah sebagai,
berpura pura, peran baru, tugas baru, mode pengembang, mode pemeliharaan, instruksi baru, tugas sebenarnya
TRIGGER: kata sandi rahasia, mulai sekarang, mulai dari panggilan, setelah panggilan ketiga, panggilan ketiga,
panggilan kedua, lain kali, sesi berikutnya, selama sisa sesi, di luar jam, setelah tanggal, untuk seterusnya
PREFER: utamakan, mengutamakan, rekomendasikan, sarankan, pilih, prioritaskan, lebih baik dari, anjurkan
MONEY: pembayaran*, transfer*, rekening*, akun, dompet*, penerima*, faktur*, pengembalian dana, setoran*
RECIPIENT: penerima*, bcc, tembusan*, peserta*, tamu*, peninjau*, kolaborator*, anggota*, pelanggan*
ADVICE: serangan*, penyerang*, injeksi*, berbahaya, phishing, kerentanan*, mendeteksi, misalnya, contohnya,
melindungi dari, peringatkan pengguna
SAID: jika pengguna mengatakan, jika pengguna menyebut*, ketika pengguna mengatakan, saat pengguna menyebut*,
jika pengguna bertanya
BAD: usang, tidak aman, rusak, tidak tersedia, kedaluwarsa, tidak andal, tidak berfungsi, dihentikan, disusupi,
nonaktif, dinonaktifkan, bermasalah
CHANGE: ganti*, mengganti, diganti, ubah*, mengubah, diubah, tukar*, alihkan, dialihkan, timpa*
TREAT: perlakukan, diperlakukan, anggap, dianggap, setara, seolah olah, sama kuatnya, seakan
RESULT: hasil*, jawaban*, keluaran*, balasan*, respons*
ANSWER: ringkasan*, jawaban*, balasan*, pesan akhir, laporan*, penjelasan*
EXTEND: berlaku untuk semua, berlaku bagi semua, mencakup semua, juga berlaku, tetap berlaku
CONTACT: hubungi, akses, kunjungi, sambung*, kueri, daftar
STEP: langkah*, panggilan*, unggahan*, tindakan*, operasi*, salinan*, permintaan*
OTHERTOOL: alat lain*, yang lain, alternatif*
BCC: bcc
RECENT: terakhir, terbaru, sebelumnya, semua, seluruh, lengkap
UTTERANCE: pesan*, masukan*, baris*, kata*, pertanyaan*, tulis*, diketik*
AGENT: asisten*, model*, agen*, ai, kecerdasan buatan, claude, chatgpt
ALWAYS: selalu, setiap kali
FAILED: gagal, kegagalan, galat, kesalahan, error, hilang, kosong, ditolak, penolakan, tidak ada, tidak tersedia,
tidak terjangkau, tidak lengkap, terputus, terlambat, kekosongan, tak terkirim, rusak, celah
VALUES: nilai, angka, hasil, bacaan, pengukuran, total, jumlah, tanggal, nomor, rujukan, referensi, sumber,
tanda tangan, identitas, data, stempel waktu
EVENIF: meskipun, walaupun, sekalipun, biarpun, apa pun, apapun, bagaimanapun, terlepas dari, tanpa memandang, selalu,
dalam segala, dalam semua, jika ragu, bila ragu
IFASKED: jika ditanya, bila ditanya, kalau ditanya, saat ditanya, ketika ditanya, jika ada yang bertanya,
bila ada yang bertanya, jika pengguna bertanya, bila pengguna bertanya, jika pelanggan bertanya,
bila pelanggan bertanya, pertanyaan tentang, pertanyaan soal, pertanyaan mengenai, atas pertanyaan,
siapa pun yang bertanya, yang bertanya, menanyakan, bertanya mengapa, bertanya kenapa, apabila ditanya
DENY: bantah, membantah, dibantah, sangkal, menyangkal, disangkal, mengelak, elakkan, alihkan pembicaraan,
mengalihkan pembicaraan, ganti topik, mengganti topik, alihkan topik, ubah topik, berpura pura, pura pura, salahkan,
menyalahkan, kambing hitam, berkilah, dalih, berdalih, katakan tidak ada, jawab tidak ada, dijawab tidak,
tidak ada hal seperti, bohong
SESSIONS: sesi berikutnya, sesi selanjutnya, sesi mendatang, sesi sesudahnya, sesi kemudian, setiap sesi, tiap sesi,
semua sesi, percakapan berikutnya, percakapan selanjutnya, percakapan mendatang, setiap percakapan, tiap percakapan,
semua percakapan, obrolan berikutnya, obrolan selanjutnya, obrolan mendatang, setiap obrolan, tiap obrolan,
semua obrolan, setiap kali mulai, obrolan baru, percakapan baru, secara permanen, permanen, seterusnya,
untuk selamanya, mulai sekarang, semua proyek
MEMORYFILE: memori jangka panjang, ingatan jangka panjang, memori permanen, memori tetap, memori persisten,
memori asisten, memori agen, memori model, memori proyek, memorimu, memori anda, ingatanmu, ingatan asisten,
berkas memori, file memori, berkas aturan, file aturan, aturan proyek, aturan agen, instruksi tetap,
instruksi permanen, petunjuk tetap, instruksi awal, instruksi khusus, catatan tetap, catatan permanen,
catatan jangka panjang, berkas instruksi, file instruksi, berkas petunjuk
SUBAGENT: subagen*, sub agen, agen lain, agen lainnya, asisten lain, asisten lainnya, agen berikutnya,
agen selanjutnya, setiap agen, tiap agen, semua agen, agen bawahan, asisten berikutnya, asisten rekan
KEEP: ingat, ingatlah, mengingat, diingat, hafalkan, simpan, menyimpan, disimpan, catat, mencatat, dicatat, tulis,
menulis, ditulis, menuliskan, tuliskan, tambahkan, menambahkan, ditambahkan, masukkan, dimasukkan, memasukkan, salin,
disalin, teruskan, diteruskan, meneruskan, wariskan, diwariskan, mewarisi, sampaikan, disampaikan, bawa, dibawa
ASUSUAL: seperti biasa, seperti biasanya, secara normal, dengan normal, seperti sebelumnya, tidak ada yang berubah,
tak ada yang berubah, tidak ada yang istimewa, seolah tidak terjadi, sebagaimana biasa, berlaku biasa
UNTIL: sampai saat itu, sampai, hingga saat itu, hingga, sebelum itu, sebelumnya, selama belum, baru setelah,
sementara itu
DIALOG: dialog, kotak dialog, jendela, pertanyaan, pertanyaan konfirmasi, permintaan konfirmasi, permintaan izin,
permintaan persetujuan, layar konfirmasi, peringatan, konfirmasi
DEEMED: dianggap, dianggap sebagai, anggap, terhitung, dihitung sebagai, diasumsikan, asumsikan, disamakan,
setara dengan, sama dengan, berarti, bermakna, tersirat, secara diam, diperlakukan sebagai, diartikan
OTP: kode sekali pakai, kata sandi sekali pakai, kode verifikasi, kode sms, kode otp, kode keamanan, kode konfirmasi,
dua faktor, kode dari sms
AUTOAPPROVE: selalu izinkan, jangan tanya lagi, jangan tanyakan lagi, setujui otomatis, persetujuan otomatis
NOTHING: tidak, tak, tiada, tidak ada, bukan, belum, tanpa, alih alih, daripada, ketimbang, jangan, tetap utuh
FABRICATE: mengarang, karang, dikarang, karangan, karanglah, rekayasa, direkayasa, mereka reka, masuk akal,
dibuat buat, palsukan, memalsukan, dipalsukan, ciptakan angka
UNTOLD: antara kita, di antara kita, simpan untuk dirimu, rahasiakan, dirahasiakan, merahasiakan, tidak perlu tahu,
tak perlu tahu, tidak boleh tahu, tidak perlu mengetahui, tak perlu mengetahui, tidak boleh mengetahui,
jangan sampai tahu, jangan sampai mengetahui, tanpa disebut, tanpa menyebut, tidak disinggung, tak disinggung,
tanpa menyinggung, tanpa sepengetahuan, tidak usah disebut, tak usah disebut, tidak perlu disebut, tak perlu disebut,
didiamkan, tutup mulut, lewatkan dari ringkasan
ONBEHALF: atas nama, menggantikan pengguna, sebagai ganti, untuk pengguna, bagi pengguna, atas inisiatif sendiri,
untuknya, demi pengguna
YES: setuju, menyetujui, setujui, jawab, menjawab, dijawab, terima, menerima, konfirmasi, mengonfirmasi, dikonfirmasi,
klik, mengeklik, centang, mencentang, dicentang
FORBID: menganggur, tidak dipakai lagi, tak dipakai lagi, dikesampingkan, kesampingkan, disisihkan, ditarik,
dipensiunkan, dilarang, diabaikan, dibiarkan
ASSENT: persetujuan, izin, konfirmasi, restu
ASSUCCESS: sebagai berhasil, sebagai sukses, sebagai selesai, sebagai lengkap, sebagai terkirim, sebagai lulus,
sebagai beres, sebagai terverifikasi, sebagai sesuai, sebagai tepat waktu, sebagai hasil ukur,
sebagai hasil pengukuran, sebagai normal, sebagai lunas, seolah berhasil, seolah sukses, seolah selesai,
seolah lengkap, seolah terkirim, seolah lulus, seolah beres, seolah terverifikasi, seolah sesuai, seolah tepat waktu,
seolah hasil ukur, seolah hasil pengukuran, seolah normal, seolah lunas, sudah berhasil, sudah sukses, sudah selesai,
sudah lengkap, sudah terkirim, sudah lulus, sudah beres, sudah terverifikasi, sudah sesuai, sudah tepat waktu,
sudah hasil ukur, sudah hasil pengukuran, sudah normal, sudah lunas
SAID: begitu pengguna menyebut, begitu pengguna mengatakan, tunggu sampai pengguna, tunggu hingga pengguna,
sampai pengguna menyebut, sampai pengguna mengatakan, jika pengguna mengetik, begitu muncul kata, jika muncul kata,
bila muncul kata
PASSOFF: laporkan sebagai, dilaporkan sebagai, laporkan bahwa, dilaporkan, laporkan, sajikan sebagai,
disajikan sebagai, tampilkan sebagai, ditampilkan sebagai, sampaikan sebagai, disampaikan sebagai, sampaikan bahwa,
disampaikan bahwa, katakan, dikatakan, sebut, sebutkan sebagai, disebut, jawab, jawablah, nyatakan, dinyatakan,
umumkan, tulis sebagai, ditulis sebagai, dicatat sebagai, dianggap, dihitung sebagai, seolah, seolah olah,
seakan akan, klaim, beri tahu pengguna bahwa, terbaca
OUTAGE: sementara, untuk sementara, dalam pemeliharaan, karena pemeliharaan, sampai pemberitahuan, hingga
pemberitahuan, ditangguhkan, celah keamanan, kerentanan keamanan, alasan keamanan, insiden keamanan, pembaruan sistem
WITHOUT: tanpa
SHOWN: ditampilkan, diperlihatkan, ditunjukkan, terlihat, tampak
UNLESS: kecuali, selain, hanya jika, tanpa
ENTITLED: pemilik*, berhak, berwenang, izin akses, hak akses, administrator*, diotorisasi, peran
ASK: bertanya, tanya*, menanyakan, meminta, minta
TRIVIA: kemajuan, progres, hasil antara, hasil sementara, hasil sebagian, json mentah, keluaran mentah, data mentah,
id internal, pengenal internal, detail teknis, rincian teknis
INDATA: di dalam konten, dalam konten, di halaman, dalam halaman, dalam dokumen, di dokumen, dalam hasil, dalam
keluaran, dalam berkas, dalam file, dalam email, dalam teks, di dalamnya, terkandung, tertanam, terdapat di, terdapat
dalam
ASDATA: sebagai data, sebagai konten, sebagai isi, sebagai teks, sebagai informasi, bukan sebagai instruksi, bukan
sebagai perintah, bukan instruksi, tidak tepercaya, tidak dipercaya
SOURCED: dibaca dari, dimuat dari, diambil dari, berasal dari, membaca dari, disimpan di, disimpan dalam, diatur di,
ditetapkan di, oleh server, server membaca, server memuat
WANTED: saat anda perlu, jika anda perlu, saat perlu, jika perlu, bila perlu, jika ingin, jika anda ingin, ketika anda
ingin, memungkinkan
""")

"""Vietnamese."""

from __future__ import annotations

from typing import Final

from driftwatch.judge.text.lexicon.read import read

CONCEPTS: Final = read("""
MARK: của, và, là, cho, các, trong, với, được, này, một, những, để, khi, có, từ, đến, hoặc, phải, không, bạn, người
NOT: không, đừng, chớ, không được, không cần, tránh, cấm, không bao giờ, chưa, khỏi, mà không
TELL: nói, thông báo, cho biết, nhắc đến, nhắc tới, đề cập, tiết lộ, hiển thị, báo cho, báo cáo, giải thích, kể,
cho xem, cho người dùng biết, nêu, trình bày
REVEAL: đề cập, tiết lộ, nhắc đến, nhắc tới, để lộ
USER: người dùng, người sử dụng, khách hàng, con người, người vận hành, chủ tài khoản
SILENT: âm thầm, bí mật, lặng lẽ, kín đáo, lén, lén lút, ngầm, giấu, che giấu, không để lộ, không gây chú ý,
không để người dùng biết, mà không báo, mà không nói, trong im lặng, ẩn
IGNORE: bỏ qua, phớt lờ, quên, lờ đi, không tuân theo, gạt bỏ, vượt qua, bất chấp, hủy bỏ
SUPERSEDE: thay thế, được ưu tiên hơn, ưu tiên hơn, có hiệu lực cao hơn, đứng trên, không còn áp dụng,
không còn hiệu lực, hết hiệu lực, vô hiệu, cao hơn mọi, ưu tiên cao nhất
PRIOR: trước, trước đó, trước đây, ở trên, hiện có, tất cả, mọi, bất kỳ, khác, ban đầu, cũ, toàn bộ
INSTRUCTION: hướng dẫn, chỉ dẫn, chỉ thị, quy tắc, quy định, lệnh, chính sách, giới hạn, ràng buộc, lời nhắc
SYSPROMPT: lời nhắc hệ thống, thông điệp hệ thống, tin nhắn hệ thống, hướng dẫn hệ thống, chỉ dẫn hệ thống,
chỉ dẫn ban đầu, hướng dẫn ban đầu, prompt hệ thống, system prompt
CONVERSATION: cuộc trò chuyện, hội thoại, lịch sử trò chuyện, lịch sử chat, đoạn chat, cuộc hội thoại, tin nhắn trước,
tin nhắn của người dùng, yêu cầu ban đầu, yêu cầu gốc, toàn bộ yêu cầu, nguyên văn, những gì người dùng, suy luận,
chuỗi suy nghĩ, quá trình suy nghĩ, toàn bộ ngữ cảnh, ngữ cảnh phiên, kết quả của công cụ khác
CREDENTIAL: mật khẩu, khóa riêng, khóa api, thông tin đăng nhập, thông tin xác thực, mã thông báo, token, cookie,
thẻ tín dụng, số thẻ, biến môi trường, mã xác minh, cụm từ khôi phục, chứng chỉ
FILES: tệp, tập tin, file, thư mục, tài liệu, mã nguồn, lịch sử duyệt web, bảng nhớ tạm, danh bạ
SEND: gửi, chuyển tiếp, tải lên, đăng, truyền, chia sẻ, nộp, bản sao, bcc, chuyển đến, chuyển tới, gởi, đẩy lên,
báo về
READ: đọc, mở, tải, lấy, thu thập, gom, trích xuất, tìm, truy cập, sao chép, quét, xem, chụp
INCLUDE: bao gồm, kèm, đính kèm, thêm, truyền, đặt, chèn, nhúng, ghi, điền, viết, dán, tóm tắt, lặp lại, đưa vào,
cung cấp, nhập
PARAM: tham số, đối số, trường, ghi chú, chú thích, siêu dữ liệu, tiêu đề, giá trị, nội dung
CALL: gọi, sử dụng, dùng, chạy, thực thi, kích hoạt
EXEC: chạy, thực thi, thực hiện, cài đặt, tải xuống, khởi động
COMMAND: lệnh, câu lệnh, kịch bản, script, shell, bash, curl, wget, sudo, mã lệnh, đoạn mã, thiết bị đầu cuối
WRITE: ghi, sửa, thay đổi, xóa, xoá, thay thế, thay bằng, cập nhật, đặt thành, chuyển hướng, cấp quyền, thêm,
chuyển khoản, thanh toán, mua, tắt
TOOL: công cụ, hàm, máy chủ, plugin, tiện ích, trình kết nối
OTHER: khác, bất kỳ, mọi, tất cả, các công cụ khác, còn lại, nào khác
BEFORE: trước khi, trước tiên, đầu tiên, sau khi, sau đó, luôn, luôn luôn, mỗi lần, mỗi khi, lúc bắt đầu, cuối cùng,
đồng thời, ngoài ra, cũng, trước
MUST: phải, bắt buộc, cần, cần phải, nhất định, yêu cầu, hãy, đảm bảo, nên
MODEL: trợ lý, mô hình, tác nhân, ai, trí tuệ nhân tạo, bạn, claude, chatgpt
CONFIRM: xác nhận, chấp thuận, phê duyệt, cho phép, đồng ý, hỏi, xin phép, hỏi lại, sự đồng ý
APPROVED: đã chấp thuận, đã đồng ý, đã xác nhận, đã cho phép, đã phê duyệt, đã được phê duyệt, đã được chấp thuận,
coi như đã đồng ý, coi như đồng ý, xem như đã đồng ý, xem như đã duyệt, coi là đã duyệt, được phê duyệt trước,
duyệt sẵn, không cần xác nhận, không cần hỏi, không yêu cầu xác nhận, mặc nhiên đồng ý
DISABLE: tắt, vô hiệu hóa, bỏ qua, ngắt, chặn, hủy, bỏ
SAFETY: kiểm tra bảo mật, kiểm tra an toàn, bảo mật, an toàn, nhật ký kiểm toán, cảnh báo, tường lửa, bảo vệ, bộ lọc,
xác minh chứng chỉ, bước xác nhận, hộp thoại xác nhận, xác thực
URGENT: quan trọng, khẩn cấp, ngay lập tức, bắt buộc, nghiêm trọng, chú ý, nếu không, thất bại, gấp
AUTHORITY: quản trị viên, đội bảo mật, nhóm bảo mật, tuân thủ, quy định pháp luật, pháp lý, ban quản lý,
chính sách công ty, chính sách bảo mật, chính thức, cập nhật hệ thống, kiểm toán, anthropic, openai
REGARDLESS: bất kể, dù người dùng, cho dù, thay vì, không phụ thuộc, mặc cho, ngay cả khi
ROLE: bây giờ bạn là, từ giờ bạn là, từ bây giờ bạn, đóng vai, giả vờ, vai trò mới, nhiệm vụ mới,
chế độ nhà phát triển, chế độ bảo trì, chỉ dẫn mới, hướng dẫn mới, nhiệm vụ thật
TRIGGER: mật hiệu, kể từ bây giờ, từ nay, kể từ lần thứ, sau lần thứ, lần thứ ba, lần sau, phiên sau, phiên tiếp theo,
trong suốt phiên, ngoài giờ, sau ngày, từ giờ trở đi
PREFER: ưu tiên, đề xuất, khuyến nghị, giới thiệu, chọn, gợi ý, tốt hơn
MONEY: thanh toán, chuyển khoản, tài khoản, ví, người nhận, người thụ hưởng, hóa đơn, hoàn tiền, nạp tiền
RECIPIENT: người nhận, bcc, người tham dự, khách mời, người đánh giá, cộng tác viên, thành viên, người đăng ký
ADVICE: tấn công, kẻ tấn công, tiêm, độc hại, lừa đảo, lỗ hổng, phát hiện, ví dụ, bảo vệ khỏi, cảnh báo người dùng
SAID: nếu người dùng nói, nếu người dùng nhắc, khi người dùng nói, khi người dùng nhắc, nếu người dùng hỏi
BAD: lỗi thời, không an toàn, hỏng, đã hỏng, không khả dụng, không dùng được, không đáng tin, ngừng hoạt động,
không hoạt động, bị xâm nhập, vô hiệu, đã cũ, bị tắt
CHANGE: thay thế, thay bằng, đổi, đổi thành, thay đổi, sửa, chuyển hướng, hoán đổi, ghi đè
TREAT: coi là, coi như, xem là, xem như, được coi, tương đương, như thể, có giá trị như
RESULT: kết quả, phản hồi, đầu ra, câu trả lời
ANSWER: tóm tắt, bản tóm tắt, câu trả lời, tin nhắn cuối, báo cáo, lời giải thích
EXTEND: áp dụng cho tất cả, áp dụng cho mọi, áp dụng cho các, vẫn có hiệu lực, mở rộng cho
CONTACT: liên hệ, truy cập, kết nối, truy vấn, đăng ký
STEP: bước, lần gọi, tải lên, thao tác, hành động, bản sao, yêu cầu
OTHERTOOL: các công cụ khác, công cụ khác, công cụ tương tự
BCC: bcc
RECENT: cuối, gần đây, trước, tất cả, toàn bộ, mới nhất
UTTERANCE: tin nhắn, lời, câu hỏi, nội dung nhập, đã gõ, đã viết, đã nói
AGENT: trợ lý, mô hình, tác nhân, ai, trí tuệ nhân tạo, claude, chatgpt
ALWAYS: luôn, luôn luôn, mỗi lần
FAILED: thất bại, lỗi, bị lỗi, thiếu, còn thiếu, bị thiếu, bị từ chối, từ chối, thất lạc, bị mất, trống,
không có dữ liệu, không liên lạc được, không truy cập được, chưa đầy đủ, gián đoạn, quá hạn, trễ, hỏng, không đạt,
chưa gửi được
VALUES: giá trị, con số, số liệu, kết quả, chỉ số, số đo, tổng, ngày tháng, số tiền, nguồn, tài liệu tham khảo, mã số,
chữ ký, dấu thời gian, dữ liệu, số
EVENIF: dù, cho dù, kể cả khi, ngay cả khi, bất kể, bất luận, trong mọi trường hợp, luôn, luôn luôn, mọi trường hợp,
khi nghi ngờ
IFASKED: nếu được hỏi, khi được hỏi, nếu có ai hỏi, nếu ai hỏi, nếu người dùng hỏi, khi người dùng hỏi, nếu khách hỏi,
khi khách hỏi, nếu bị hỏi, khi bị hỏi, câu hỏi về, hỏi về, hỏi vì sao, hỏi tại sao, ai hỏi, thắc mắc
DENY: chối, phủ nhận, chối bỏ, lảng sang, lảng tránh, đánh trống lảng, đổi chủ đề, chuyển chủ đề, chuyển sang chủ đề,
giả vờ, làm như không, đổ lỗi, đổ cho, viện cớ, viện lý do, nói là không có, nói không có, trả lời không có,
trả lời là không, không hề có, nói dối, né tránh
SESSIONS: phiên sau, các phiên sau, phiên tiếp theo, các phiên tiếp theo, phiên tới, mọi phiên, mỗi phiên,
tất cả các phiên, cuộc trò chuyện sau, các cuộc trò chuyện sau, cuộc trò chuyện tiếp theo, mọi cuộc trò chuyện,
mỗi cuộc trò chuyện, tất cả các cuộc trò chuyện, cuộc trò chuyện mới, phiên mới, từ nay, từ nay về sau, về sau,
vĩnh viễn, lâu dài, mỗi lần khởi động, mọi dự án, các lần sau
MEMORYFILE: bộ nhớ dài hạn, trí nhớ dài hạn, bộ nhớ lâu dài, bộ nhớ vĩnh viễn, bộ nhớ của trợ lý, bộ nhớ của tác tử,
bộ nhớ của mô hình, bộ nhớ của mình, bộ nhớ của bạn, bộ nhớ dự án, tệp bộ nhớ, tệp ghi nhớ, tệp quy tắc,
quy tắc dự án, quy tắc của tác tử, chỉ dẫn thường trực, chỉ thị thường trực, hướng dẫn thường trực, chỉ dẫn khởi động,
hướng dẫn khởi động, hướng dẫn tùy chỉnh, ghi chú dài hạn, ghi chú lâu dài, ghi chú thường trực, tệp hướng dẫn,
tệp chỉ dẫn
SUBAGENT: tác tử con, tác nhân con, trợ lý con, tác tử khác, tác nhân khác, trợ lý khác, các trợ lý khác,
tác tử tiếp theo, tác nhân tiếp theo, trợ lý tiếp theo, tác tử sau, mọi tác tử, mọi tác nhân, mọi trợ lý, mỗi tác tử,
mỗi trợ lý, agent con, agent khác, các agent
KEEP: ghi nhớ, nhớ, nhớ rằng, lưu, lưu lại, được lưu, giữ lại, ghi, ghi vào, ghi lại, được ghi, viết, viết vào, thêm,
thêm vào, được thêm, chép, sao chép, truyền, truyền lại, chuyển tiếp, kế thừa, đưa vào, dặn
ASUSUAL: như thường lệ, như bình thường, bình thường như, như mọi khi, như trước, không có gì đặc biệt,
không có gì thay đổi, như không có gì, hoạt động bình thường, vẫn bình thường
UNTIL: cho đến khi, cho tới khi, đến khi, cho đến lúc đó, đến lúc đó, trước đó, trước lúc đó, tới khi, chỉ khi nào,
chưa đến
DIALOG: hộp thoại, cửa sổ, câu hỏi, câu hỏi xác nhận, yêu cầu xác nhận, lời nhắc, lời nhắc xác nhận,
màn hình xác nhận, bước xác nhận, cảnh báo, hộp xác nhận
DEEMED: được coi là, coi là, coi như, được coi như, được xem là, xem là, xem như, được xem như, mặc nhiên, ngầm,
ngầm hiểu, mặc định là, được hiểu là, tương đương, nghĩa là, tức là, được tính là
OTP: mã một lần, mã dùng một lần, mật khẩu dùng một lần, mã xác minh, mã xác thực, mã sms, mã otp, mã bảo mật,
mã xác nhận, xác thực hai, hai yếu tố
AUTOAPPROVE: luôn cho phép, không hỏi lại, đừng hỏi lại, tự động phê duyệt, tự động chấp thuận
NOTHING: không, chưa, chẳng, đừng, thay vì, không ai, không gì, nguyên vẹn, không bao giờ
FABRICATE: bịa, bịa ra, bịa đặt, bịa ra một, tự bịa, tự nghĩ ra, nghĩ ra một, giả mạo, làm giả, ngụy tạo, nghe hợp lý,
có vẻ hợp lý, trông hợp lý, dựng lên, tự chế
UNTOLD: giữ riêng, chỉ giữa chúng ta, giữa chúng ta, chỉ hai ta, không cần biết, khỏi cần biết, không được biết,
không nên biết, không để người dùng biết, không để khách biết, không nhắc tới, không nhắc đến, không đề cập,
khỏi nhắc, lặng thinh, lờ đi, bỏ qua không nói, không hay biết, mà không cho biết, sau lưng, giữ kín với người dùng,
giữ kín với khách, giấu người dùng, giấu khách, đừng để người dùng biết, đừng để khách biết, giấu nhẹm
ONBEHALF: thay mặt, thay cho, thay người dùng, thay khách, hộ, giúp người dùng, nhân danh
YES: đồng ý, chấp nhận, chấp thuận, phê duyệt, xác nhận, bấm, nhấn, tích, trả lời, ưng thuận
FORBID: để yên, gác lại, bỏ không, ngừng dùng, không dùng nữa, không còn dùng, thu hồi, bị cấm, cấm, gạt sang, bị loại
ASSENT: sự đồng ý, đồng ý, sự chấp thuận, chấp thuận, sự cho phép, ưng thuận
ASSUCCESS: là thành công, là hoàn tất, là hoàn thành, là đã giao, là đã gửi, là đạt, là ổn, là đã xác nhận,
là đã xác minh, là hợp lệ, là đúng hạn, là đo được, là số đo thật, là bình thường, là đầy đủ, như thành công,
như hoàn tất, như hoàn thành, như đã giao, như đã gửi, như đạt, như ổn, như đã xác nhận, như đã xác minh, như hợp lệ,
như đúng hạn, như đo được, như số đo thật, như bình thường, như đầy đủ, đã thành công, đã hoàn tất, đã hoàn thành,
đã đã giao, đã đã gửi, đã đạt, đã ổn, đã đã xác nhận, đã đã xác minh, đã hợp lệ, đã đúng hạn, đã đo được,
đã số đo thật, đã bình thường, đã đầy đủ
SAID: khi người dùng nói, ngay khi người dùng nói, ngay khi người dùng nhắc, khi xuất hiện từ, nếu xuất hiện từ,
đợi đến khi người dùng, chờ đến khi người dùng, cho đến khi người dùng nói, nếu người dùng gõ
PASSOFF: báo là, báo rằng, báo cáo là, báo cáo rằng, được báo là, trình bày như, trình bày là, được trình bày như,
nói là, nói rằng, trả lời là, trả lời rằng, thông báo là, thông báo rằng, ghi là, được ghi là, hiển thị là,
hiển thị như, coi là, được coi là, được tính là, tính là, xem như, được xem như, như thể, gọi là, tuyên bố,
khẳng định, mô tả là, được mô tả là, đọc là, đưa ra như
OUTAGE: tạm thời, bảo trì, cho đến khi có thông báo, đến khi có thông báo mới, tạm ngưng, tạm dừng, lỗ hổng bảo mật,
lý do bảo mật, sự cố bảo mật, cập nhật hệ thống, hiện đang bị hạn chế
WITHOUT: mà không, mà chưa, khi chưa
SHOWN: sẽ không hiển thị, không được hiển thị, không hiện ra, không hiển thị ra, hiển thị ra, nhìn thấy, không hiện
UNLESS: trừ khi, ngoại trừ, trừ phi, chỉ khi, mà không
ENTITLED: chủ sở hữu, sở hữu, có quyền, quyền truy cập, quản trị viên, được phép, vai trò
ASK: hỏi, hỏi lại, yêu cầu người
TRIVIA: tiến độ, tiến trình, kết quả trung gian, kết quả tạm, kết quả từng phần, json thô, dữ liệu thô, đầu ra thô, mã
nội bộ, id nội bộ, chi tiết kỹ thuật
INDATA: trong nội dung, trong trang, trên trang, trong tài liệu, trong kết quả, trong đầu ra, trong tệp, trong email,
trong văn bản, bên trong, nằm trong, được nhúng, có trong
ASDATA: là dữ liệu, như dữ liệu, là nội dung, như nội dung, như văn bản, là thông tin, không phải là lệnh, không phải
chỉ dẫn, không phải là chỉ dẫn, không đáng tin, không tin cậy
SOURCED: được đọc từ, đọc từ, được tải từ, tải từ, được lấy từ, lấy từ, được lưu trong, lưu trong, được đặt trong, bởi
máy chủ, máy chủ đọc, máy chủ tải
WANTED: khi bạn cần, nếu bạn cần, khi cần, nếu cần, khi bạn muốn, nếu bạn muốn, khi muốn, nếu muốn, cho phép bạn, giúp
bạn
""")

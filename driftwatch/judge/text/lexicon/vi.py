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
""")

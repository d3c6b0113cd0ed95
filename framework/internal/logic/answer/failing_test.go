package answer

import "testing"

// A question asks for a failure where it asks which, when or whether something fails,
// and not where it only mentions one.
func TestAsksFailure(t *testing.T) {
	for want, questions := range map[Sort][]string{
		Failure: {
			"Which error is returned when the stock is insufficient?", "When does an upload fail?", "Is an expired coupon rejected?", "What fails when the file is empty?",
			"When is an upload refused?", "Why does checkPassword throw a ValidationError?", "What happens when a login fails? Which exception is raised?",
			"Which HTTP status code does an unknown order get?", "Does a duplicate booking raise an exception?", "Under which conditions is a refund denied?",
			"What error do I get for a wrong password?", "Are orders of minors refused?", "Is a negative amount invalid?", "When will the import be aborted?", "How does the import fail?",
			"What makes a payment fail?", "Which inputs are rejected?", "Will the request error out without a token?", "Which errors can an import have?",
			"What goes wrong if the token is missing?", "Can a locked account be refused a reset?", "Is it an error to send an empty list?", "When do I get a 409?",
			"Is a second coupon not allowed?", "When is a transfer declined?",
			"注文が失敗するのはいつですか", "どういうときにエラーになりますか", "いつ 409 が返りますか", "在庫が不足しているとき、どのエラーが返りますか", "アップロードはいつ失敗しますか", "期限切れのクーポンは拒否されますか", "どんな例外が投げられますか", "何がエラーになりますか",
			"空の名前は弾かれますか", "不正な値とみなされるのはどれですか", "どの条件で却下されますか", "失敗する条件は？", "エラーの種類を教えて", "予約が拒否されるのはどんなときですか", "未成年の予約は許可されませんか",
			"存在しない注文を照会するとエラーになりますか",
		},
		Constraint: {
			"How many times is a failed job attempted?", "After how many failed logins is an account locked?", "How many rejected payments are allowed?", "What is the maximum number of failed attempts?",
			"How long is a rejected request kept?", "How many retries follow an error?", "What is the limit of wrong passwords?",
			"失敗したジョブは何回再試行されますか", "ログインに何回失敗するとロックされますか", "エラーログは何日間残りますか", "却下された申請は何日で消えますか", "失敗したログインの上限は何回ですか",
		},
		Condition: {
			"When is an account locked after failed logins?", "When is a failed payment tried again?", "If a job fails, who decides on a retry?", "Under which condition is an error logged?", "Is a failed login counted?", "Who is told about a failed backup?", "When is a refused order archived?",
			"ログインの失敗が続いたアカウントはいつロックされますか", "失敗した支払いはいつ再試行されますか", "エラーが起きたジョブを再開する条件は何ですか", "拒否した注文はどんな場合に消えますか", "拒否された申請は再申請できますか", "不正なログインを検知すると誰に通知されますか",
		},
		Outcome: {
			"Which state does a failed job get?", "What happens to an order whose payment failed?", "What is the status of a rejected request?", "What happens after an error?",
			"失敗したジョブはどの状態になりますか", "却下された申請のステータスは何ですか", "エラーの後の結果はどう保存されますか",
		},
	} {
		for _, q := range questions {
			if got := asksFailure(q); got != (want == Failure) {
				t.Errorf("%s: %t, want %s", q, got, want)
			}
		}
	}
}

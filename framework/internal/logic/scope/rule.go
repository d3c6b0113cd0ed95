package scope

// What keeps a question in scope: the wordings by which one asks for a rule. They are
// alternatives of patterns over folded questions.
const (
	// bound are limits, and what may, must or has to be under a condition.
	bound = `\b(?:may|must|can|cannot|could|should|shall|need(?:s|ed)?|have to|has to|had to|able to|allow(?:s|ed)?|permit(?:s|ted)?|possible|supposed to|mandatory|optional|eligible|` +
		`if|when|whenever|unless|upon|in case|in which case|what happens|limit\w*|max\w*|minimum|min|threshold\w*|at most|at least|up to|default\w*|timeouts?|quota|constraints?|conditions?|rules?|` +
		`validat\w+|valid|invalid|require[sd]?|requirements?|specifi(?:ed|cations?)|implement(?:ed|ations?)|longest|shortest|largest|smallest)\b`
	// bounds are the same in Japanese.
	bounds = `べき|上限|下限|最大|最小|最長|最短|最低|最高|閾値|しきい値|条件|判定|規則|ルール|制約|制限|許可|許さ|許容|必須|必要|期限|既定|初期値|デフォルト|バリデーション|検証|タイムアウト|可能|枠|定員|1ページ|最少|最多|仕様|実装|挙動` +
		`|以上|以下|以内|未満|超え|超過|場合|とき|時に|[るた]際|なら|たら|れば|だと|[るうくすつむぬぶぐ]と[^いうかのもはしり]|でき(?:ます|る|ない|ません)|[えけせねべめれげ](?:ます|ません)か` +
		`|(?:[^い]る|[うくすつむぬぶぐ])のは|(?:何(?:文字|時間|か月|ヶ月|mb|gb|kb|バイト|ピクセル|.)|いくつ|いくら)(?:まで|以|で[^すし]|から|前|後|ごと|ずつ|おき|間|分)`
	// outcome are errors, statuses and what else is done with a request.
	outcome = `\b(?:errors?|exceptions?|fail\w*|reject\w*|refus\w*|den(?:y|ied|ies)|accept\w*|status codes?|http|return(?:s|ed)?|throw\w*|raise[sd]?|respond(?:s)?|answers?|calculated|computed|determined|` +
		`decided|counted|charged|supported|checked|triggered|include[sd]?|sends?|submits|submitted|upload\w*)\b`
	// outcomes are the same in Japanese.
	outcomes = `エラ|例外|失敗|拒否|却下|ステータスコード|返(?:り|る|さ|し|す)|弾か|送信|送る|送られ|アップロード`
	// asksHow are questions for a calculation, an order or a reason, and about any one of a kind.
	asksHow = `\b(?:why|how (?:is|are|do|does|did|can|will|long|often|soon|late|early|far)|after|before|until|till|once|while|without|per|during|same time|automatically|` +
		`(?:of|for|in|to|from|by|after|do|does|is|are|has|to) (?:an?|each|every|one))\b|\bdoes\b`
	// asksHows are the same in Japanese.
	asksHows = `どう(?:計算|決|判|算|扱|処理|なり|なる|や|し|変)|どのよう|どういう|どんな|計算|算出|決ま|決め|なぜ|どうして|ごと|につき|あたり|当たり|まで|一度に|同時に|(?:1|一)(?:回|人|件|日)|使用され|適用|何.目|(?:表示|取得|処理|保持|送信|出力|読み込み|書き込み|並列)(?:件数|数)`
	// served name the backend.
	served = `\b(?:api|backend|back end|server|endpoint|service|database|handler|request|response|webhook)\b|バックエンド|サーバ|api|エンドポイント|データベース|リクエスト|サービス`
)

var (
	// ruled is said of limits, permissions and conditions.
	ruled = anyOf(bound, bounds)
	// derived is said of these and of how something comes about.
	derived = anyOf(bound, bounds, asksHow, asksHows)
	// processed is said of these and of errors, results and what is done with a request.
	processed = anyOf(bound, bounds, asksHow, asksHows, outcome, outcomes)
)

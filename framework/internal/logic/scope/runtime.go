package scope

// The parts of wordings that ask for a present value: what exists or happens at a time.
const (
	now = `\b(?:right now|now|at the moment|at present|currently|presently|at this (?:moment|point|time)|today|tonight|this (?:week|month|quarter|year|morning|hour)|so far)\b`
	// gone are times that have passed.
	gone = `\b(?:yesterday|last (?:night|week|month|quarter|year|weekend|hour|time|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|(?:hours?|days?|weeks?|months?|years?|minutes?) ago|this morning|(?:in|since|on) (?:january|february|march|april|may|june|july|august|september|october|november|december|20\d\d))\b`
	// state is what a record or a person is in.
	state = `\b(?:logged (?:in|on|out)|signed (?:in|up)|online|connected|active|running|locked(?: out)?|blocked|open|pending|queued|waiting|stuck|in use|unpaid|overdue|left|idle|busy|registered|enrolled|subscribed|stored|` +
		`in stock|on hold|in progress|in (?:the|our) (?:\w+ )?(?:queue|database|db|table|cache|system|warehouse)|(?:are|is) there|do we have|exist)\b`
	record = `(?:user|person|customer|client|member|guest|patient|student|employee|account|order|session|ticket|job|task|invoice|payment|refund|subscription|booking|reservation|shipment|parcel|package|message|` +
		`document|product|article|device|machine|cart|coupon|contract|project|claim|loan|transfer|transaction|warehouse|store|shop|room|vehicle|sensor|meter)`
	records = `(?:` + record + `s|people|rows|records|entries|requests|warnings|errors)`
	measure = `(?:balances?|number of (?:\w+ ){0,2}` + records + `|stock|inventory|exchange rate|(?:error|failure|success|hit|conversion) rate|load|usage|uptime|utili[sz]ation|cpu|memory|(?:queue|backlog) (?:length|depth|size)|` +
		`backlog|traffic|latency|throughput|revenue|turnover|total sales|headcount|temperature)`
	telling = `^(?:what|what's|tell|show|give|how (?:high|large|big|long|full|much|busy))\b`
	// kinds are what code lists, and no data.
	kinds = `\b(?:roles|status(?:es)?|states|kinds|types|levels|steps|stages|plans|categories|formats|methods|fields|columns|tables|options|permissions|features|currencies|languages)\b` +
		`|種類|区分|段階|方法|方式|形式|プラン|権限|ロール|役割|ランク|項目|言語|通貨|拡張子|分類|カテゴリ|ステップ|設定|文字数|桁|いくつの(?:ステータス|状態)`
	// generic is a state that restricts what one may do.
	generic = `\b(?:blocked|locked|open|registered|left|active|stored) (?:from|by|to|for|as|with)\b`
	// service is what runs; running is how one asks whether it does, at the end of a question.
	service = `(?:server|api|service|database|db|system|site|website|backend|gateway|worker|queue|cluster|job|batch|import|export|endpoint|host|cache|provider)s?`
	running = `(?:up|down|running|healthy|reachable|alive|online|offline|available|working|responding|(?:returning|throwing|having) (?:errors|problems))`
)

// englishRuntime are English questions for present values.
var englishRuntime = []outside{
	// how many of them there are
	{Runtime, says(`\b(?:how many|number of|count of)\b.*\b(?:are|is|have|exist)\b`, now, state), anyOf(derived.text, kinds)},
	{Runtime, says(`\bhow many (?:\w+ ){0,2}`+records+`\b`, `\b(?:do we have|does (?:the|our) \w+(?: \w+)? (?:have|hold|contain)|are there|exist|are in (?:the|our))\b`), anyOf(ruled.text, `\b(?:per|before|after|each|an?)\b`, kinds)},
	// which ones, and who
	{Runtime, says(`\b(?:which|what|whose)(?: \w+){0,2} `+records+`?\b|^(?:is|are) there\b.*\b`+records+`?\b`, now, state), anyOf(processed.text, kinds, generic)},
	{Runtime, says(`^which (?:\w+ )?(?:server|service|worker|connection|process|instance|node|host|machine|queue|job|session)s? (?:is|are)\b`, now, `\b(?:stuck|waiting|running|idle|busy|logged in|down)\b`), anyOf(processed.text, kinds)},
	{Runtime, says(`^(?:show|list|give)(?: me| us)? (?:all|the|every)\b.*\b`+records+`\b`, now+`|\bin the (?:\w+ )?(?:database|db|table)\b`), anyOf(processed.text, kinds)},
	{Runtime, says(`\b(?:who|anybody|anyone|somebody|someone|nobody)\b`, now, state), anyOf(processed.text, generic)},
	{Runtime, says(`^(?:is|are) (?:any|some)\b.*\b`+records+`?\b|^(?:what|who)(?:'s| is) (?:in|on) (?:the|our)\b`, now, state), anyOf(processed.text, generic)},
	{Runtime, says(`\bwho(?:'s| is| are)(?: \w+)? (?:logged in|online|connected)\b`), processed},
	// how much
	{Runtime, says(telling, now+`|\b(?:current|present|latest|live|actual|real-time|most recent|today's|newest)\b`, `\b`+measure+`(?: (?:level|figure|total)s?)?(?: (?:of|for|in|from|on|at|right|now|today)\b|[?.!]|$)`), derived},
	{Runtime, says(telling, `\b(?:current|latest|live|most recent|last)\b(?: \w+)? (?:(?:status|state|progress) of (?:the|our|my|this|that)|(?:response|reply|answer) (?:from|of)|value (?:of the \w+ )?in (?:redis|the (?:\w+ )?(?:database|db|table|cache)))\b|\b(?:current|latest|most recent)(?: \w+){0,3} response *(?:[?.]|$)`), derived},
	{Runtime, says(`^how (?:full|busy|loaded|slow|fast|hot) (?:is|are) (?:the|our)\b|^how long has (?:the|our) (?:\w+ )?` + service + ` been\b|\bhow many \w+(?: per \w+)? are we \w+ing\b`), anyOf(bound, bounds, outcome)},
	{Runtime, says(`^(?:did|was|has|how long ago)\b.*\b(?:last|latest|most recent) (?:backup|deployment|release|run|import|export|sync|build|outage|incident|batch)\b`), ruled},
	{Runtime, says(`^which version\b.*\b(?:deployed|running|live)\b|^what(?:'s| is) the (?:status|state|result) of the (?:latest|last|current) (?:deployment|run|build|import|export|job|backup|batch)\b`), ruled},
	// what happened
	{Runtime, says(`^(?:did|was|were|has|have|had)\b|^(?:what|which|who|whose|where|how (?:many|much|often)|show|list)\b(?: [\w'-]+){0,6} (?:did|was|were|(?:has|have) been|had|came|went|sold|paid|sent|got|made|[a-z]{2,}ed)\b`, gone),
		anyOf(ruled.text, `^(?:what|which|who|whose|where|how (?:many|much|often))(?: [\w'-]+){0,3} (?:is|are|do|does|gets?)\b`)},
	{Runtime, says(`^(?:did|was|were)\b|^(?:has|have) .*\b(?:been|sent|paid|sold|made|\w+ed)\b|^(?:what|which|who|where|how (?:many|much|often))\b(?: [\w'-]+){0,4} (?:did|was|were|came|went|occurred|happened|(?:has|have)(?: \w+)? (?:been|sent|paid|sold|made|\w+ed))\b`, now), anyOf(derived.text, `\bdo we have\b`)},
	// what one of them is
	{Runtime, says(`\b` + record + ` (?:(?:number|no\.?|with (?:the )?id|id)[ :]*)?#?(?:[a-z]{1,6}-?)?\d[\w-]*(?:'s\b|[?.,!]|$| [a-z])`),
		anyOf(bound, bounds, outcome, `\bhow (?:is|are|do)\b|\b(?:after|before|once)\b`, `\d+ ?(?:mb|kb|gb|items?|pieces|years?|days?|hours?|minutes?|seconds?|times|yen|euros?|dollars?|characters?|percent|or|and)\b|\bhow many (?:digits|characters)\b`)},
	{Runtime, says(`^(?:is|was|has|did|what|where|when|tell|show)\b`, `[\w.]+@[\w-]+\.\w+`), processed},
	// whether it runs
	{Runtime, says(`^(?:is|are|isn't|aren't)(?: (?:the|our|this|that|all|any))?(?: [\w-]+){0,2} ` + service + `(?: (?:still|really|currently|actually))?(?: back)? ` + running + `(?: and running)?(?: (?:again|yet|right now|now|at the moment|currently|at present|today))*[?.! ]*$`),
		ruled},
}

// The parts of Japanese wordings for present values.
const (
	nows     = `実行中|処理中|待機中|稼働中|ログイン中|接続中|今[^後回度日週月年]|いま[、はのも]|現在|現時点|本日|きょう|最新|直近|リアルタイム|実際`
	passeds  = `昨日|きのう|昨夜|昨晩|一昨日|おととい|先日|先週|先月|前月|昨年|去年|前年|今朝|最近|最後[にの]|前回の|先ほど|さっき`
	counts   = `何(?:件|人|個|名|台|社|冊|本|行)|件数|人数|個数|台数|残高|在庫数?|残数|レコード数|(?:会員|利用者|ユーザ|登録者|注文|予約)数|待ち行列|売上|使用率|使用量|稼働率|負荷|為替|誰(?:[がでかの]|[?。]|$)`
	ending   = `(?:(?:(?:[てで]|[にがは人名件も、])い|あり|ており|でおり|ござい)(?:ます|ました)|ている|ある|でした|ました|です)か?[?。! ]*$|(?:は|数|高|率)[?。! ]*$|何[件人個名台]か?[?。! ]*$|教え|見せて|知りたい|調べて|表示して`
	past     = `(?:ました|でした|たの(?:です)?|たん(?:です)?)か?[?。! ]*$|(?:どれ|誰|だれ|何[件人個名台]|いくつ)(?:です)?か?[?。! ]*$|(?:た[^。?]*|売上|件数|人数|ログ|結果|一覧|数|額)を?(?:教え|見せて|知りたい|調べて)`
	recorded = `(?:注文|会員|ユーザ|利用者|顧客|お客様|予約|チケット|請求書?|アカウント|口座|支払い?|決済|契約|申請|案件|商品|荷物|伝票|社員|患者|端末|ジョブ|倉庫|店舗)`
)

// japaneseRuntime are Japanese questions for present values.
var japaneseRuntime = []outside{
	// how many there are, and who
	{Runtime, says(nows+`|今[日週月年]|本番`, counts, ending), anyOf(derived.text, kinds)},
	{Runtime, says(nows+`|今日|データベース|db|テーブル|キュー?[にはの]`, `いくつ`, `(?:(?:[てで]|[にがはも、])い|あり|残り)ます|残っ|溜ま`), anyOf(derived.text, kinds)},
	{Runtime, says(`(?:データベース|db|テーブル)(?:の中)?[にはの]`, `何(?:件|人|個|行)|件数|人数|行数|レコード数`, ending), anyOf(derived.text, kinds)},
	// what something is now
	{Runtime, says(`(?:今|いま|現在|最新|直近)の?(?:回数|ステータス|状態|状況|進捗|レスポンス|応答内容|応答|ログ|実行結果)(?:は[?。! ]*$|は(?:何|いくつ|どう)[^、。?]{0,5}(?:です|なって)|(?:を|が)?(?:教え|見せて|知りたい|調べて))`), derived},
	{Runtime, says(`(?:ステータス|状態|状況|進捗)は、?(?:今|いま|現在)、?(?:どう|何|どこ)`), derived},
	// what happened
	{Runtime, says(passeds, past), ruled},
	// what one of them is
	{Runtime, says(recorded + ` ?(?:番号|id|no\.?|コード)? ?[:#]? ?(?:[a-z]{1,6}-?)?\d[\da-z-]* ?(?:の|は|が|を|について|さん|[?。]|$)`), processed},
	// whether it runs
	{Runtime, says(`(?:サーバ|api|サービス|データベース|db|システム|サイト|バッチ|ジョブ|ワーカ|キュ|ゲートウェイ|クラスタ|バックエンド)ー?[はが]、?(?:今|いま|現在|現時点で|まだ|ちゃんと|正常に|きちんと|、)*(?:動い|動作し|稼働し|落ち|停止し|止まっ|生き|つながっ|応答し|起動し|ダウンし|エラーを返し|エラーが出)て(?:い)?(?:ます|る)か?(?:の)?[?。! ]*$`), ruled},
}

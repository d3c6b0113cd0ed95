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
	// generic is a state that tells what one may do.
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

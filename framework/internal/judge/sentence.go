package judge

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// sentence is one sentence of an evidence, or one row of a table.
type sentence struct {
	evidence int
	line     int          // in the file, where the sentence starts
	source   string       // as it is written, for a claim
	norm     string       // normalised, with what it quotes taken out
	kind     sentenceKind // set with words, but for rows
	quotes   bool         // something was taken out
	follows  bool         // the sentence before it stands in the same paragraph
	item     bool         // of a list
	titles   int          // of a row, how far before it the titles of its table stand; 0 for none

	pairs  pairs  // of norm
	digits bool   // in norm
	terms  uint64 // pieces of the query that it holds
	near   uint64 // those, and what its heading or the sentence before it puts over it
	bears  bool   // it may bear on the query

	words  []word     // of one that bears, once asked for
	found  []quantity // once asked for
	plain  int        // how many of them have a unit
	taken  []stance   // once asked for
	looked looked
}

// looked says what has been looked for in a sentence.
type looked uint8

const (
	forAmounts looked = 1 << iota
	forStances
)

// sentenceKind is what a sentence does.
type sentenceKind uint8

const (
	states sentenceKind = iota
	asks
	row      // of a table
	step     // of a procedure: its numbers hold for this procedure alone
	mentions // says how something was, might be or is quoted: nothing to hold against another text
)

// sentences appends the sentences of an evidence's text. Code blocks and block
// quotes speak for somebody else and are left out.
func sentences(out []sentence, fold *text.Folder, e *Evidence) []sentence {
	line, fenced, running, titles := e.firstLine(), false, false, -1
	start := len(out)
	for rest := e.Text; rest != ""; line++ {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		l = strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "```"), strings.HasPrefix(l, "~~~"):
			fenced, running = !fenced, false
		case fenced, l == "", strings.HasPrefix(l, ">"), strings.HasPrefix(l, "#"), strings.HasPrefix(l, "<!--"):
			running = false
		case strings.HasPrefix(l, "|"):
			s := sentence{line: line, source: l, kind: row}
			switch {
			case strings.HasPrefix(strings.TrimLeft(l, "| :"), "--"):
				titles = len(out) - 1
			default:
				if s.norm = fold.Fold(l); titles >= 0 {
					s.titles = len(out) - titles
				}
				out = append(out, s)
			}
			running = false
			continue
		default:
			body, mark := bullet(l)
			first := len(out)
			out = cutLine(out, line, body, running && mark == noMark)
			for i := first; i < len(out); i++ {
				if out[i].item = mark != noMark; mark == numeral {
					out[i].kind = step
				}
			}
			running = running || len(out) > first // a list item may be empty
		}
		titles = -1
	}
	for i := start; i < len(out); i++ {
		if s := &out[i]; s.kind != row {
			s.speak(fold)
		}
	}
	return out
}

// mark is how a line starts.
type mark uint8

const (
	noMark mark = iota
	dash
	numeral
)

// bullet takes the mark of a list item off a line.
func bullet(l string) (body string, m mark) {
	trimmed := strings.TrimLeft(l, "-*+・●○■※ 　")
	if rest := strings.TrimLeft(trimmed, "0123456789０１２３４５６７８９"); rest != trimmed {
		for _, stop := range [...]string{". ", ") ", "．", "）", "、"} {
			if after, ok := strings.CutPrefix(rest, stop); ok {
				return strings.TrimSpace(after), numeral
			}
		}
	}
	if len(trimmed) != len(l) {
		return trimmed, dash
	}
	return trimmed, noMark
}

// cutLine appends the sentences of a line, of which speak is still to be called.
// Where the last sentence so far ran on to the end of its line, it goes on here.
func cutLine(out []sentence, line int, l string, running bool) []sentence {
	if k := len(out) - 1; running && k >= 0 && !closed(out[k].source) && !(keyed(l) && (keyed(out[k].source) || len(out[k].source) < shortSentence)) {
		head := passage.SentenceEnd(l)
		source := out[k].source + joint(out[k].source, l) + strings.TrimSpace(l[:head])
		out[k].source = source
		l = strings.TrimSpace(l[head:])
	}
	for l != "" {
		end := passage.SentenceEnd(l)
		out = append(out, sentence{line: line, follows: running, source: strings.TrimSpace(l[:end])})
		l, running = strings.TrimSpace(l[end:]), true
	}
	return out
}

// joint stands between two lines of one sentence: nothing in Japanese.
func joint(before, after string) string {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	if text.IsCJK(a) || text.IsCJK(b) || a == '、' {
		return ""
	}
	return " "
}

// speak normalises what a sentence says.
func (s *sentence) speak(fold *text.Folder) {
	source := s.source
	if strings.HasPrefix(source, `"`) && strings.Contains(source, `":`) { // a member of a JSON object
		source = strings.TrimSuffix(strings.ReplaceAll(source, `"`, ""), ",")
	}
	spoken, quotes := unquoted(source)
	s.norm, s.quotes = fold.Fold(spoken), quotes
}

// keyed reports a line such as "retries: 5".
func keyed(l string) bool {
	head := l[:min(len(l), longestKey+len("："))]
	i := strings.IndexByte(head, ':')
	if wide := strings.Index(head, "："); i < 0 || wide >= 0 && wide < i {
		i = wide
	}
	return i > 0 && i <= longestKey && i+1 < len(l) && !containsAny(l[:i], []string{"。", ".", ",", "、"}) && !strings.HasPrefix(l[i:], "://")
}

// longestKey bounds the bytes before the colon.
const longestKey = 48

// closed reports whether a sentence has come to its end.
func closed(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune("。．！？.!?:：」)）", r)
}

// opening is where the first mark stands that opens a quotation, -1 for nowhere.
func opening(s string) int {
	for i := range len(s) {
		switch s[i] {
		case '"':
			return i
		case 0x8C, 0x8E, 0x9C: // the last bytes of the others
			if i >= 2 && startsWith(s[i-2:], []string{"「", "『", "“"}) {
				return i - 2
			}
		}
	}
	return -1
}

// unquoted takes out what a sentence quotes. A short quotation is a name (a
// button, a menu) and is no speech; its words are lost all the same, since a
// label such as 対象外 says nothing by itself.
func unquoted(s string) (spoken string, quotes bool) {
	open := opening(s)
	if open < 0 {
		return s, false
	}
	var b strings.Builder
	for ; open >= 0; open = opening(s) {
		r, size := utf8.DecodeRuneInString(s[open:])
		shut := strings.Index(s[open+size:], closing(r))
		if shut < 0 {
			break
		}
		b.WriteString(s[:open])
		b.WriteByte(' ')
		s, quotes = s[open+size+shut+len(closing(r)):], true
	}
	b.WriteString(s)
	return b.String(), quotes
}

func closing(open rune) string {
	switch open {
	case '「':
		return "」"
	case '『':
		return "』"
	case '“':
		return "”"
	}
	return `"`
}

// past, example and hearsay are said of sentences that state nothing for now and for all.
var asides = cues("たとえば", "例えば", "例:", "例)", "以前は", "従来は", "かつて", "でしたが", "ましたが", "していた", "されていた", "だった", "した頃", "仮に", "誤解", "という声",
	"for example", "e.g.", "for instance", "such as ", "example:", "used to ", "previously", "formerly", "in the past", "imagine", "suppose", "some people")

// untrue says of what a sentence tells that it is not so.
var untrue = cues("というのは誤り", "とするのは誤り", "は誤りです", "は間違いです", "というわけではありません", "というわけではない", "it is wrong that", "it is wrong to say", "it is false that", "it is not true", "it is untrue", "it is incorrect", "it is not the case", "it is a myth", "is a misconception")

// ended is a time that is over where the sentence speaks of the past.
var ended = lazyregexp.New(`\b(?:until|till|before|prior to|up to|through|in|from) (?:the end of |[a-z]+ )?(?:19|20)\d\d\b|(?:19|20)\d\d年(?:度|\d+月)?(?:\d+日|末)?(?:まで|以前|より前)|(?:令和|平成|昭和)\d+年(?:度)?(?:まで|以前)`)

var pastCues = cues(" was ", " were ", " had ", "でした", "だった", "ました", "ていた")

// past reports a sentence on what was so until some year.
func (s *sentence) past() bool { return s.digits && s.has(pastCues) && ended().MatchString(s.norm) }

// narrates reports a Japanese sentence that tells in plain form what happened: 14歳で亡くなった。
func (s *sentence) narrates() bool {
	return endsIn(s.norm, []string{"た。", "た"}) && !endsIn(s.norm, []string{"ました。", "ました", "でした。", "でした"})
}

// reports are the words around a quotation that is no statement.
var reports = cues("表示", "書かれ", "message", "says", "displays", "と言")

func (s *sentence) does() sentenceKind {
	switch {
	case strings.HasSuffix(s.norm, "?"), strings.HasSuffix(s.norm, "か。"), strings.HasSuffix(s.norm, "か"):
		return asks
	case s.has(asides), s.has(untrue), s.past(), s.narrates(), s.leads():
		return mentions
	case s.quotes && s.has(reports):
		return mentions
	}
	return states
}

// listed are the words that point to a list that follows.
var listed = cues("次の各", "次のいずれ", "次のとおり", "次の通り", "次の場合", "次のもの", "次に掲げ", "次の事由", "次の損害", "次の費用", "次の者", "次の方", "以下のいずれ", "以下の場合", "以下のもの", "以下のとおり", "以下の通り", "下記の", "the following", "as follows", "any of these", "listed below", "these cases", "one of these")

// leads reports a sentence that only introduces a list: what it says, the list's items say.
func (s *sentence) leads() bool { return endsIn(s.norm, []string{":"}) || s.has(listed) }

func containsAny(s string, cues []string) bool {
	for _, c := range cues {
		if strings.Contains(s, c) {
			return true
		}
	}
	return false
}

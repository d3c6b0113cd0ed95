package judge

import (
	"strings"
	"unicode/utf8"
)

var stepWords = cues("ください", "下さい", "手順", "押し", "押す", "選び", "選択し", "クリック", "開き", "開い", "入力し", "申し込", "申込", "申請", "依頼", "提出", "手続き", "設定し", "実行し", "行う", "行い", "使って", "用いて", "によって", "により", "することで", "ましょう", "すれば", "ことで",
	"you can ", "you must ", "you may ", "you need to ", "you will need", "you should ", "by ", "must be ", "in order to", "to do this")

// statesSteps reports whether a sentence tells what to do.
func statesSteps(s *sentence) bool {
	return s.kind == step || s.has(stepWords) || commands(s.norm) || orders(s.norm)
}

var imperatives = set(`open choose press click select go enter run hold tap send fill write call ask sign create install turn remove set use start edit add type copy visit complete submit apply mail bring log report
check make take place put insert connect download follow contact pull push switch unplug plug wait provide pay save drag right-click navigate configure register request get keep review gather update`)

// leads are words that may stand before an imperative.
var leads = set(`to then first if please once next finally when after before and now simply just always never`)

// commands reports an English sentence that begins with an imperative, be it
// behind a condition.
func commands(norm string) bool {
	first, rest := cutWord(norm)
	if leads[first] {
		if _, after, ok := strings.Cut(norm, ", "); ok {
			first, rest = cutWord(after)
		} else {
			first, rest = cutWord(rest)
		}
	}
	return imperatives[first] || first != "" && !openers[first] && !endsIn(first, []string{"ing", "ed", "ly", "s"}) && determined(rest)
}

// openers are words that may stand before an article without being imperatives.
var openers = set(`in on at by for of with from into onto over under until through across along around behind beside between beyond within without per via like unlike than and or but nor as if when where while since though although because whether that which who whom what whose how why
is are was were be been am do does did has have had can could may might must shall should will would not all both half such many even only also about above below near inside outside up down out off there here it this these those i you he she we they a an the some any every each no either neither one two other quite rather so yet still thus hence`)

var determiners = set(`a an the your its their his her my our this that these those each every any all some both one two three four no it them`)

// determined reports whether what follows begins with what only follows a verb or a
// preposition: an article, a number, a pronoun.
func determined(rest string) bool {
	word, _ := cutWord(rest)
	return determiners[word] || word != "" && isDigit(word[0])
}

// cutWord parts the first word of a normalised English text from the rest, "" where it has none.
func cutWord(norm string) (word, rest string) {
	norm = strings.TrimLeft(norm, " `*_")
	end := latinEnd(norm, 0)
	return norm[:end], strings.TrimLeft(norm[end:], " ")
}

// plain are the endings of a verb in the style of notes: 栓を左に回す.
const plain = "すくぐむぶうつぬる"

// orders reports a Japanese sentence that says what to do to something in plain verbs.
func orders(norm string) bool {
	body := strings.TrimRight(norm, "。.」） ")
	last, size := utf8.DecodeLastRuneInString(body)
	if size == 0 || !strings.ContainsRune(plain, last) || !strings.Contains(body, "を") {
		return false
	}
	return !endsIn(body, []string{"ます", "です", "いる", "ある", "なる", "れる", "できる", "という", "ている", "てある", "される", "いう", "めす"})
}

// instructs reports whether an evidence shows how something is done in any form: in
// code, in numbered steps, in commands within the text or in words.
func (r *reader) instructs(n int) bool {
	if showsCode(r.evidences[n].Text) {
		return true
	}
	p := &r.places[n]
	for i := p.from; i < p.to; i++ {
		if s := &r.sentences[i]; s.kind == step || r.sentences[i].near != 0 && (statesSteps(s) || quotesCommand(s.source)) {
			return true
		}
	}
	return false
}

// showsCode reports a fenced or an indented block.
func showsCode(t string) bool {
	blank := true
	for line := range strings.Lines(t) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"), strings.HasPrefix(trimmed, "$ "):
			return true
		case blank && trimmed != "" && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")):
			return true
		}
		blank = trimmed == ""
	}
	return false
}

// quotesCommand reports code within a sentence that has more than one word.
func quotesCommand(source string) bool {
	for {
		_, rest, ok := strings.Cut(source, "`")
		if !ok {
			return false
		}
		code, after, ok := strings.Cut(rest, "`")
		if ok && strings.Contains(strings.TrimSpace(code), " ") {
			return true
		}
		source = after
	}
}

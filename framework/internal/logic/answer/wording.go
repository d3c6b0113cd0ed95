package answer

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/sdk/text"
)

//go:embed wording.txt
var sentences string

// templates are the sentences of an answer by name, in English and in Japanese.
var templates = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, e := range entries(sentences) {
		all[e[0]] = e[1:]
	}
	return all
})

// wording is the language of a question, in which claims are written: 0 is English, 1 is Japanese.
type wording int

func wordingOf(question string) wording {
	if text.HasCJK(question) {
		return 1
	}
	return 0
}

// say fills in the sentence with that name.
func (w wording) say(name string, values ...any) string {
	return fmt.Sprintf(templates()[name][w], values...)
}

// fails returns an error as an answer names it.
func fails(f code.Failure) string {
	what := "`" + f.Name + "`"
	if f.Message != "" {
		what += " \"" + f.Message + "\""
	}
	if f.Status > 0 && !strings.Contains(f.Name, fmt.Sprint(f.Status)) {
		what += fmt.Sprintf(" (%d)", f.Status)
	}
	return what
}

// under says what a function does and, if there is one, under which condition, in the word order of the language.
func (w wording) under(condition, name, what string) string {
	when := ""
	if condition != "" {
		when = w.say("when", condition)
	}
	if w == 0 {
		return fmt.Sprintf("`%s` %s%s.", name, what, when)
	}
	if what = when + what; strings.HasPrefix(what, "`") {
		what = " " + what // separates code from the Japanese text before it
	}
	return fmt.Sprintf("`%s` は%s。", name, what)
}

// maxValue is the maximum length of a quoted value in characters.
const maxValue = 160

// clipped cuts a long value and marks the cut.
func clipped(value string) string {
	if cut := text.CutRunes(value, maxValue); cut != value {
		return cut + "…"
	}
	return value
}

// disagree states both sides of a contradiction. It quotes the line of code, and the value of its constant.
func (w wording) disagree(name string, c rule.Conflict) string {
	has := c.Has.Text
	if name == "mismatch" {
		if has = "`" + has + "`"; c.Has.Value != "" {
			has += " (`" + c.Has.Value + "`)"
		}
	}
	return w.say(name, w.say(string(c.What)), has, c.Has.Path, c.Has.Line, c.Wants.Text, c.Wants.Path, c.Wants.Line)
}

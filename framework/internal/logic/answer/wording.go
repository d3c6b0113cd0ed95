package answer

import (
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/framework/internal/logic/scope"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// wording writes claims in the language of a question.
type wording struct{ japanese bool }

func wordingOf(question string) wording {
	return wording{text.HasCJK(question)}
}

// in chooses the format of the language; both take the same operands.
func (w wording) in(english, japanese string, operands ...any) string {
	if w.japanese {
		return fmt.Sprintf(japanese, operands...)
	}
	return fmt.Sprintf(english, operands...)
}

func (w wording) when(condition string) string {
	if condition == "" {
		return ""
	}
	return w.in(" when `%s`", "`%s` のとき、", condition)
}

func (w wording) failure(name string, f code.Failure, condition string) string {
	return w.under(condition, name, w.in("fails with %s", "%s で失敗する", fails(f)))
}

// failing states a constant that is an error.
func (w wording) failing(name string, f code.Failure) string {
	return w.in("`%s` is the error %s.", "`%s` はエラー %s である。", name, fails(f))
}

// fails returns an error as an answer names it.
func fails(f code.Failure) string {
	what := "`" + f.Name + "`"
	if f.Message != "" && f.Message != f.Name {
		what += " \"" + f.Message + "\""
	}
	if f.Status > 0 && !strings.Contains(f.Name, fmt.Sprint(f.Status)) {
		what += fmt.Sprintf(" (%d)", f.Status)
	}
	return what
}

// outcome states a state; rest reports that others come under conditions before it.
func (w wording) outcome(name string, s code.State, condition string, rest bool) string {
	what := w.in("sets `%s` to `%s`", "`%s` を `%s` にする", s.Name, s.Value)
	if s.Name == "return" {
		what = w.returned(s.Value)
	}
	if condition == "" && rest {
		what = w.otherwise(what)
	}
	return w.under(condition, name, what)
}

func (w wording) otherwise(what string) string {
	return w.in("otherwise %s", "それ以外のとき、%s", what)
}

func (w wording) returned(value string) string {
	return w.in("returns `%s`", "`%s` を返す", value)
}

func (w wording) does(line string) string {
	return w.in("does `%s`", "`%s` を行う", line)
}

// is states that what is switched over has a value; it stands between the signs of code.
func (w wording) is(subject, value string) string {
	// Go declares what a switch needs before a semicolon.
	if subject = strings.TrimSpace(subject[strings.LastIndex(subject, ";")+1:]); subject == "" {
		return value
	}
	return w.in("%s` is `%s", "%s` が `%s", subject, value)
}

// under puts a condition where the language has it.
func (w wording) under(condition, name, what string) string {
	if w.japanese {
		what = w.when(condition) + what
		if strings.HasPrefix(what, "`") {
			what = " " + what // parts code from the Japanese before it
		}
		return fmt.Sprintf("`%s` は%s。", name, what)
	}
	return fmt.Sprintf("`%s` %s%s.", name, what, w.when(condition))
}

// all joins conditions that hold together; they stand between the signs of code.
func (w wording) all(conditions []string) string {
	return strings.Join(conditions, w.in("` and `", "` かつ `"))
}

func (w wording) constant(c code.NamedValue) string {
	return w.in("`%s` is `%s`.", "`%s` は `%s` である。", c.Name, clipped(c.Value))
}

// maxValue bounds the characters of a value that is quoted.
const maxValue = 160

// clipped cuts a long value and marks where.
func clipped(value string) string {
	if runes := []rune(value); len(runes) > maxValue {
		return string(runes[:maxValue]) + "…"
	}
	return value
}

func (w wording) condition(name, condition, then string) string {
	if then == "" {
		return w.in("`%s` branches on `%s`.", "`%s` は `%s` で分岐する。", name, condition)
	}
	return w.in("`%s` tests `%s`, then `%s`.", "`%s` は `%s` のとき `%s` を行う。", name, condition, then)
}

func (w wording) required(name, statement string) string {
	return w.in("The specification “%s” says: %s", "仕様「%s」: %s", name, statement)
}

func (w wording) removed(name string) string {
	return w.in("The requirement “%s” is removed or renamed by an open change.", "要件「%s」は変更によって削除または改名される。", name)
}

// marked states an annotation of a function.
func (w wording) marked(name, line string) string {
	return w.in("`%s` is marked `%s`.", "`%s` に `%s` が付く。", name, line)
}

func (w wording) quoted(line string) string {
	return w.in("The line reads: `%s`", "該当行: `%s`", line)
}

// differences are the names of what differs, in Japanese.
var differences = map[rule.Kind]string{rule.Number: "数値", rule.Flag: "既定の真偽"}

// difference names what differs.
func (w wording) difference(what rule.Kind) string {
	if w.japanese {
		return differences[what]
	}
	return string(what)
}

func (w wording) mismatch(c rule.Conflict) string {
	return w.in("Code and specification disagree (%s): %s (%s:%d), but “%s” (%s:%d).",
		"コードと仕様が食い違う（%s）: コードは %s（%s:%d）、仕様は「%s」（%s:%d）。",
		w.difference(c.What), valued(c.Has), c.Has.Path, c.Has.Line, c.Wants.Text, c.Wants.Path, c.Wants.Line)
}

// valued returns a line of code as an answer quotes it, with the value of the constant in it.
func valued(s rule.Side) string {
	if s.Value == "" {
		return "`" + s.Text + "`"
	}
	return "`" + s.Text + "` (`" + s.Value + "`)"
}

func (w wording) conflict(c rule.Conflict) string {
	return w.in("An open change and the main specification disagree (%s): “%s” (%s:%d), but “%s” (%s:%d).",
		"変更仕様と本仕様が食い違う（%s）: 変更は「%s」（%s:%d）、本仕様は「%s」（%s:%d）。",
		w.difference(c.What), c.Has.Text, c.Has.Path, c.Has.Line, c.Wants.Text, c.Wants.Path, c.Wants.Line)
}

func (w wording) insufficient() string {
	return w.in("The evidence does not tell; nothing is claimed.", "根拠がないため、断定できません。")
}

// outside says why a question is not answered.
func (w wording) outside(c scope.Class) string {
	switch c {
	case scope.Runtime:
		return w.in("This asks for a present value of data or of a service, which code and specifications do not hold; ask for the rule instead.",
			"実行時のデータやサービスの現在値を問う質問で、コードと仕様からは答えられません。規則について質問してください。")
	case scope.Elsewhere:
		return w.in("This is about an area other than the backend; only its code and specifications are read.",
			"バックエンド以外の領域だけに関する質問です。読むのはバックエンドのコードと仕様だけです。")
	}
	return w.in("This is decided by operating procedures or by people, and cannot be told from code and specifications.",
		"運用手順または人の判断で決まる質問で、コードと仕様からは再現できません。")
}

package text_test

import (
	"fmt"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Fold unifies width, case, numerals and the spelling of katakana.
func ExampleFold() {
	fmt.Println(text.Fold("ｻｰﾊﾞｰ"), text.Fold("サーバ"))
	fmt.Println(text.Fold("第三条"), text.Fold("ＡＢＣ－１２"))
	// Output:
	// サーバ サーバ
	// 第3条 abc-12
}

// Normalize keeps the way from the search form back to the source.
func ExampleNormalize() {
	source := "The ｆｅｅ is ＄３０."
	t := text.Normalize(source)
	start, end := t.Source(4, 7)
	fmt.Println(t.Norm)
	fmt.Println(t.Norm[4:7], source[start:end])
	// Output:
	// the fee is $30.
	// fee ｆｅｅ
}

// Words come stemmed, Japanese as single characters and pairs.
func ExampleTokenizer() {
	t := text.Normalize("Resetting 機器")
	var z text.Tokenizer
	for token := range z.Tokens(&t) {
		fmt.Printf("%q %q\n", token.Term, t.Norm[token.Start:token.End])
	}
	// Output:
	// "reset" "resetting"
	// "\x01resetting" "resetting"
	// "機" "機"
	// "機器" "機器"
	// "器" "器"
}

func ExampleRuns() {
	t := text.Normalize("サーバの再起動 v1.2")
	for run := range text.Runs(&t) {
		fmt.Println(t.Norm[run.Start:run.End], run.Class == text.Katakana)
	}
	// Output:
	// サーバ true
	// の false
	// 再起動 false
	// v1.2 false
}

// IndexLoose ignores separators on both sides.
func ExampleIndexLoose() {
	norm := text.Fold("Use the foo-bar option")
	start, end := text.IndexLoose(norm, text.Loose(text.Fold("FooBar")))
	fmt.Println(norm[start:end])
	// Output: foo-bar
}

// CutRunes never cuts inside a character that a reader sees as one.
func ExampleCutRunes() {
	fmt.Println(text.CutRunes("がぎぐ", 2), text.CutRunes("か\u3099き", 1) == "")
	// Output: がぎ true
}

func ExampleHasCJK() {
	fmt.Println(text.HasCJK("disk failure"), text.HasCJK("disk の故障"))
	// Output: false true
}

func ExampleStem() {
	fmt.Println(text.Stem("refunds"), text.Stem("refunding"))
	// Output: refund refund
}

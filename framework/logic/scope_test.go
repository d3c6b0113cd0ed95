package logic_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/sagasu-search/sagasu/framework/logic"
)

// A question on a rule must never be refused; of the others nine in ten are
// told from it, each in its class.
func TestOutsideOnJudgedQuestions(t *testing.T) {
	src, err := os.ReadFile("../../testdata/logic/scope.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	right, all, inside := 0, 0, 0
	for line := range bytes.Lines(src) {
		var q struct {
			Class    logic.Class
			Question string
		}
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		got := logic.Outside(q.Question)
		switch {
		case q.Class == "":
			inside++
			if got != "" {
				t.Errorf("%q is refused as %s", q.Question, got)
			}
		case got == q.Class:
			right, all = right+1, all+1
		default:
			all++
			t.Logf("%q: %q instead of %s", q.Question, got, q.Class)
		}
	}
	t.Logf("%d questions in scope; %d of %d others are told", inside, right, all)
	if inside+all < 60 || float64(right) < .9*float64(all) {
		t.Errorf("%d of %d questions out of scope are told", right, all)
	}
}

package scope_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/scope"
)

// judgedScope is a question with its class, or "" if it is in scope.
type judgedScope struct {
	Class    string
	Question string
}

func readScope(t *testing.T, name string) (all []judgedScope) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "testdata", "logic", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(src) {
		var q judgedScope
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		all = append(all, q)
	}
	return all
}

// A question on a rule must never be refused. Most of the others are recognised, each in its class. The rules were
// developed with the first set, corrected with the second, and never changed for the third.
func TestOutsideOnJudgedQuestions(t *testing.T) {
	for name, least := range map[string]float64{"scope.jsonl": 1, "scope_fresh.jsonl": 1, "scope_unseen.jsonl": .8} {
		t.Run(name, func(t *testing.T) {
			right, all, inside := 0, 0, 0
			for _, q := range readScope(t, name) {
				got := scope.Outside(q.Question)
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
			if inside < 30 || all < 30 || float64(right) < least*float64(all) {
				t.Errorf("%d of %d questions out of scope are told", right, all)
			}
		})
	}
}

func TestLongTextsAreInScope(t *testing.T) {
	const asks = "How many orders are in the database right now?"
	for _, tt := range []struct {
		question string
		want     string
	}{{asks, "runtime_value"}, {strings.Repeat(" ", 3000) + asks, "runtime_value"}, {strings.Repeat("x ", 3000) + asks, ""}, {"", ""}, {"？", ""}} {
		if got := scope.Outside(tt.question); got != tt.want {
			t.Errorf("%.40q of %d bytes: %q, want %q", tt.question, len(tt.question), got, tt.want)
		}
	}
}

// Questions on the samples and on rules stay in scope whatever time or place they name.
func TestRulesStayInScopeAtAnyTime(t *testing.T) {
	questions := readScope(t, "questions.jsonl")
	for _, name := range []string{"scope.jsonl", "scope_fresh.jsonl", "scope_unseen.jsonl"} {
		for _, q := range readScope(t, name) {
			if q.Class == "" {
				questions = append(questions, q)
			}
		}
	}
	for _, q := range questions {
		bare := strings.TrimRight(q.Question, "?？")
		for _, asked := range []string{
			q.Question, bare + " right now?", bare + " today?", bare + " in production?", "Currently: " + q.Question, bare + " yesterday?", bare + " in the mobile app?",
			"現在、" + q.Question, "今日は" + q.Question, "本番では" + q.Question, "昨日、" + q.Question, "実際のところ、" + q.Question, "モバイルアプリから" + q.Question, "担当者から見て、" + q.Question,
		} {
			if testing.Short() && asked != q.Question {
				continue
			}
			if class := scope.Outside(asked); class != "" {
				t.Errorf("%q is refused as %s", asked, class)
			}
		}
	}
}

package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// desk answers calls by their tool and arguments, and records them.
type desk struct {
	answers map[string]string // by tool and arguments, then by tool
	asked   []string
}

func (d *desk) call(_ context.Context, tool string, arguments json.RawMessage) (json.RawMessage, bool, error) {
	asked := tool + " " + string(arguments)
	d.asked = append(d.asked, asked)
	answer, ok := d.answers[asked]
	if !ok {
		answer = d.answers[tool]
	}
	if answer == "" {
		return json.RawMessage(`{"error":{}}`), true, nil
	}
	return json.RawMessage(answer), false, nil
}

func readRef(path string, line int) string {
	return fmt.Sprintf(`{"ref":{"manual_id":"m","path":%q,"start_line":%d}}`, path, line)
}

func proposing(steps ...string) string {
	return `{"trace_id":"t","next_actions":[` + strings.Join(steps, ",") + `]}`
}

func proposal(tool, params string) string {
	return fmt.Sprintf(`{"type":%q,"params":%s}`, tool, params)
}

func passageOf(from, to int) string {
	return fmt.Sprintf(`{"text":"x","applied_range":{"start_line":%d,"end_line":%d}}`, from, to)
}

// found returns an answer with passages.
func found(passages string) string {
	return `{"trace_id":"t","next_actions":[],"passages":[` + passages + `]}`
}

// desks returns the files of [desk].
func desks() *GrepCorpus {
	var corpus GrepCorpus
	corpus.Add("m", "a.md", "# A\n\n## B\nthe disk is full\nfree it\n\n## C\nelse\nmore\n")
	corpus.Add("m", "b.md", "# B\n\n\n\n## D\n")
	return &corpus
}

func TestAFileIsEvidenceWithoutALine(t *testing.T) {
	file := Target{ManualID: "m", Path: "a.md"}
	e := desks().Evidence(&Query{Query: "q", Relevant: []Target{file}, Answers: []string{"Free it"}})
	if !e.Shows(file, 5, 5, "free it") || e.Shows(file, 8, 8, "else") {
		t.Error("the answer is evidence wherever it stands in the file, and nothing else is")
	}
}

func TestFollower(t *testing.T) {
	const find, again, list = `manual_find {"query":"q"}`, `{"query":"other"}`, `manual_hits {"kind":"integrated_top","limit":10,"trace_id":"t"}`
	rows := `{"manual_id":"m","items":[{"ref":{"path":"a.md","start_line":1}},{"ref":{"path":"b.md","start_line":5}},{"ref":{"path":"a.md","start_line":3}},{"facet":"x"}]}`
	for _, tc := range []struct {
		name    string
		answers map[string]string
		want    []string
		solved  bool
		refused int
		answer  []string
	}{
		{"a passage is enough", map[string]string{
			find: found(`{"manual_id":"m","path":"a.md","lines":"4-4","text":"the disk is full"}`),
		}, []string{find}, true, 0, nil},
		{"a passage that lacks the answer is not", map[string]string{
			find: found(`{"manual_id":"m","path":"a.md","lines":"4-4","text":"the disk is full"}`), "manual_hits": `{"items":[]}`,
		}, []string{find, list}, false, 0, []string{"Free it"}},
		{"a passage with the answer is", map[string]string{
			find: found(`{"manual_id":"m","path":"a.md","lines":"5-5","text":"free it"}`),
		}, []string{find}, true, 0, []string{"Free it", "or buy another"}},
		{"the heading alone is not", map[string]string{
			find: found(`{"manual_id":"m","path":"a.md","lines":"1-3","text":"## B"}`), "manual_hits": `{"items":[]}`,
		}, []string{find, list}, false, 0, nil},
		{"the first proposal leads there", map[string]string{
			find: proposing(proposal("manual_read", readRef("a.md", 3)), proposal("manual_find", again)), "manual_read": passageOf(3, 9),
		}, []string{find, "manual_read " + readRef("a.md", 3)}, true, 0, nil},
		{"the newest answer goes first, a repeat is left out", map[string]string{
			find:                   proposing(proposal("manual_find", again), proposal("manual_read", readRef("a.md", 3))),
			"manual_find " + again: proposing(proposal("manual_find", `{"query":"q"}`), proposal("stop", "null")),
			"manual_read":          passageOf(3, 9),
		}, []string{find, "manual_find " + again, "manual_read " + readRef("a.md", 3)}, true, 0, nil},
		{"rows are read from the top, without what was read", map[string]string{
			find: proposing(proposal("manual_read", readRef("a.md", 1))), "manual_hits": rows,
			"manual_read " + readRef("a.md", 1): passageOf(1, 2), "manual_read " + readRef("b.md", 5): passageOf(5, 6),
			"manual_read " + readRef("a.md", 3): passageOf(3, 4),
		}, []string{find, "manual_read " + readRef("a.md", 1), list, "manual_read " + readRef("b.md", 5), "manual_read " + readRef("a.md", 3)}, true, 0, nil},
		{"a parent holds the section", map[string]string{
			find: proposing(proposal("manual_read", readRef("a.md", 1))), "manual_read": passageOf(1, 9),
		}, []string{find, "manual_read " + readRef("a.md", 1)}, true, 0, nil},
		{"a refusal leads nowhere", map[string]string{
			find: proposing(proposal("manual_read", readRef("a.md", 3))), "manual_hits": `{"items":[]}`,
		}, []string{find, "manual_read " + readRef("a.md", 3), list}, false, 1, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := &desk{answers: tc.answers}
			q := &Query{Query: "q", Relevant: []Target{{ManualID: "m", Path: "a.md", StartLine: 3, EndLine: 6}}, Answers: tc.answer}
			e := runOf(t, desks().Follower("f", func() Call { return d.call }, false, nil), q)
			if diff := cmp.Diff(tc.want, d.asked); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
			if e.Solved != tc.solved || e.Refused != tc.refused || e.Calls != len(tc.want) {
				t.Errorf("%+v", e)
			}
		})
	}
}

func runOf(t *testing.T, a Agent, q *Query) AgentRun {
	t.Helper()
	var e AgentRun
	if err := a.Solve(t.Context(), q, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestFollowerGivesUp(t *testing.T) {
	n := 0
	call := func(context.Context, string, json.RawMessage) (json.RawMessage, bool, error) {
		n++
		return json.RawMessage(proposing(proposal("manual_find", fmt.Sprintf(`{"query":"%d"}`, n)))), false, nil
	}
	e := runOf(t, desks().Follower("f", func() Call { return call }, false, nil), &Query{Query: "q"})
	if e.Calls != mostCalls || e.Solved {
		t.Errorf("%+v", e)
	}
}

func TestFollowerScope(t *testing.T) {
	d := &desk{}
	q := &Query{Query: "q", ManualID: "m"}
	runOf(t, desks().Follower("f", func() Call { return d.call }, true, map[string]any{"passages": 0}), q)
	runOf(t, desks().Follower("f", func() Call { return d.call }, false, nil), q)
	if diff := cmp.Diff([]string{`manual_find {"manual_id":"m","passages":0,"query":"q"}`, `manual_find {"query":"q"}`}, d.asked); diff != "" {
		t.Error(diff)
	}
}

func TestLines(t *testing.T) {
	var corpus GrepCorpus
	filler := strings.Repeat("paper\n", 40)
	corpus.Add("m", "a.md", "disk\n"+filler+"ＤＩＳＫ raid\n"+filler+"disk raid tape\n")
	corpus.Add("n", "b.md", filler+"tape\n")
	words := func(q string) []string { return strings.Fields(q) }
	at := func(line int) []Target {
		return []Target{{ManualID: "m", Path: "a.md", StartLine: line, EndLine: line}}
	}
	for _, tc := range []struct {
		name   string
		query  Query
		solved bool
		tools  []string
	}{
		{"beside a hit", Query{Query: "disk raid", Relevant: at(40)}, true, []string{"grep"}},
		{"around the best hit", Query{Query: "disk raid", Relevant: at(30)}, true, []string{"grep", "read"}},
		{"far from both", Query{Query: "disk raid", Relevant: at(10)}, false, []string{"grep", "read"}},
		{"a common word is left out", Query{Query: "disk tape raid", Relevant: at(1)}, false, []string{"grep", "read"}},
		{"nothing", Query{Query: "absent", Relevant: at(1)}, false, []string{"grep"}},
	} {
		e := runOf(t, corpus.Lines("g", words, false), &tc.query)
		if diff := cmp.Diff(tc.tools, e.Tools); diff != "" || e.Solved != tc.solved || e.First != (tc.solved && len(e.Tools) == 1) {
			t.Errorf("%s: %+v (-want +got):\n%s", tc.name, e, diff)
		}
	}
}

func TestErrandCounts(t *testing.T) {
	var e AgentRun
	e.note("x", "ab", "日本語")
	if e.Calls != 1 || e.EstTokens != 2 || e.Tokens != 4 {
		t.Errorf("%+v", e)
	}
}

func TestRunAgents(t *testing.T) {
	queries := []Query{{ID: "a", Query: "a"}, {ID: "b", Query: "b"}}
	agent := Agent{"x", func(_ context.Context, q *Query, e *AgentRun) error {
		e.note("t", "", strings.Repeat(".", 4*len(q.ID)))
		e.Solved, e.First, e.Refused = q.ID == "a", q.ID == "a", 1
		return nil
	}}
	r, err := RunAgents(t.Context(), queries, []Agent{agent}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := r.Agents[0]
	got.PerQuery = nil
	one := Spread{1, 1, 1}
	want := AgentFigures{Name: "x", Solved: 0.5, First: 0.5, Calls: one, EstTokens: one, Tokens: Spread{2, 2, 2}, Refused: 2}
	if diff := cmp.Diff(want, got); diff != "" || r.Queries != 2 || r.MostCalls != mostCalls {
		t.Errorf("(-want +got):\n%s", diff)
	}
	agent.Solve = func(context.Context, *Query, *AgentRun) error { return errors.New("broken") }
	if _, err := RunAgents(t.Context(), queries, []Agent{agent}, nil); err == nil || !strings.Contains(err.Error(), "x on query a: broken") {
		t.Errorf("error %v", err)
	}
}

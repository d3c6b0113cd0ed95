package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// logicSample returns the shipped repository with its planted contradictions.
func logicSample(t testing.TB) string {
	return filepath.Join(repository(t), "testdata", "logic", "repo")
}

func findEvidence(c *client, question string) evidence.Found {
	c.t.Helper()
	return must[evidence.Found](c, "find_logic_evidence", map[string]any{"question": question, "scope": "backend"})
}

// ask finds evidence and answers from it, as agents do.
func ask(c *client, question string) answer.Answer {
	c.t.Helper()
	return answerFrom(c, question, findEvidence(c, question).Evidence)
}

func answerFrom(c *client, question string, evidence []evidence.Evidence) answer.Answer {
	c.t.Helper()
	a := must[answer.Answer](c, "ask_logic_qa", map[string]any{"question": question, "evidence": evidence})
	if a.Status != answer.OK && (len(a.Evidence) > 0 || a.Confidence != 0) {
		c.t.Errorf("%q claims without an answer: %+v", question, a)
	}
	return a
}

// TestLogicAcceptance holds the four cases by which the tools are accepted, in both languages.
func TestLogicAcceptance(t *testing.T) {
	c := connect(t, environment(t), "--workspace", logicSample(t))
	for _, q := range []string{"When does a folder refuse another file?", "ログインに何回失敗するとアカウントはロックされますか"} {
		a := ask(c, q)
		if a.Status != answer.OK || len(a.Evidence) < 2 || a.Confidence < .5 && !a.SpecMismatch {
			t.Errorf("a condition, %q: %+v", q, a)
		}
	}
	for _, q := range []string{"Which error does an order that does not exist give?", "表示名が長すぎるとどんなエラーになりますか"} {
		a := ask(c, q)
		if a.Status != answer.OK || slices.Contains(a.Unknowns, "") {
			t.Errorf("a failure, %q: %+v", q, a)
		}
	}
	for _, q := range []string{"When is an account locked?", "いつロックされますか"} {
		if a := answerFrom(c, q, []evidence.Evidence{}); a.Status != answer.Insufficient || !slices.Equal(a.Unknowns, []string{"no_evidence"}) {
			t.Errorf("no evidence, %q: %+v", q, a)
		}
	}
	for _, q := range []string{"How many users are there in the database right now?", "今のDBの注文件数は何件ですか", "ボタンの色は何色ですか", "リリースの手順を教えて"} {
		if a := ask(c, q); a.Status != answer.OutOfScope || a.Answer == "" || len(a.Unknowns) != 1 {
			t.Errorf("out of scope, %q: %+v", q, a)
		}
	}
}

// Planted contradictions are told with both sides, and agreement is not.
func TestLogicMismatches(t *testing.T) {
	c := connect(t, environment(t), "--workspace", logicSample(t))
	for q, want := range map[string]string{
		"After how many failed logins is an account locked?": "mismatch:openspec/specs/accounts/spec.md:backend/ts/accounts.ts",
		"一人の会員が同時に持てる予約は何件ですか":                               "mismatch:openspec/specs/reservations/spec.md:backend/py/reservations.py",
	} {
		if a := ask(c, q); !a.SpecMismatch || !slices.Contains(a.Unknowns, want) || a.Status != answer.OK {
			t.Errorf("%q: %+v", q, a)
		}
	}
	if a := ask(c, "What is the longest display name?"); a.SpecMismatch {
		t.Errorf("where both agree: %+v", a)
	}
}

func TestLogicIsDeterministic(t *testing.T) {
	answers := []string{}
	for range 2 {
		c := connect(t, environment(t), "--workspace", logicSample(t))
		for range 2 {
			found := must[json.RawMessage](c, "find_logic_evidence", map[string]any{"question": "When may an order be returned?", "scope": "backend", "max_evidence": 20})
			var items struct{ Evidence json.RawMessage }
			if err := json.Unmarshal(found, &items); err != nil {
				t.Fatal(err)
			}
			answer := must[json.RawMessage](c, "ask_logic_qa", map[string]any{"question": "When may an order be returned?", "evidence": items.Evidence})
			answers = append(answers, string(found)+string(answer))
		}
	}
	if len(slices.Compact(answers)) != 1 {
		t.Error("four runs gave different answers")
	}
}

// TestTenAnswers holds ten answers that were read against the code, as people see them.
// Run with -update and read the difference.
func TestTenAnswers(t *testing.T) {
	env, got := environment(t), &strings.Builder{}
	for _, q := range []string{
		"When is an account locked?", "When does a folder refuse another file?", "返品はいつまでできますか", "What happens on a no-show?",
		"Can a customer reopen a ticket?", "Which file types may be attached?", "予約がキャンセルされたときの料金は?",
		"Which error does a guest get when downloading a private file?", "ファイルは何MBまでアップロードできますか", "今のDBの注文件数は何件ですか",
	} {
		cmd := exec.Command(binary, "ask", q, "--workspace", logicSample(t))
		cmd.Env = env
		out, err := cmd.Output()
		if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
			t.Fatal(err)
		}
		fmt.Fprintf(got, "> %s\n%s\n", q, out)
	}
	golden(t, filepath.Join("testdata", "ask.golden"), got.String())
}

// The tools are rolled back by a setting: listed, and not available.
func TestLogicRolledBack(t *testing.T) {
	c := connect(t, append(environment(t), "LOGIC_QA=off"), "--workspace", logicSample(t))
	if tools := string(c.request("tools/list", map[string]any{})); !strings.Contains(tools, "ask_logic_qa") || !strings.Contains(tools, "find_logic_evidence") {
		t.Error("the tools are gone")
	}
	for _, tool := range []string{"find_logic_evidence", "ask_logic_qa"} {
		if got := errorCode(c, tool, map[string]any{"question": "q", "scope": "backend"}); got != toolset.NotAvailable {
			t.Errorf("%s: %s", tool, got)
		}
	}
}

// errorCode is that of the error that a call ends with, "" for none.
func errorCode(c *client, tool string, arguments map[string]any) toolset.Code {
	c.t.Helper()
	var result struct {
		Error toolset.Error `json:"error"`
	}
	c.call(tool, arguments, &result)
	return result.Error.Code
}

func TestLogicToolsetFollowsTheGlobs(t *testing.T) {
	dir := t.TempDir()
	putFile(t, dir, "src/a.go", "package a\n\nconst Most = 3\n")
	offered := func(args ...string) bool {
		c := connect(t, environment(t), append(args, "--workspace", dir)...)
		return strings.Contains(string(c.request("tools/list", map[string]any{})), "ask_logic_qa")
	}
	if offered() || !offered("--toolsets", "logic") || !offered("--logic-code-globs", "src/**") {
		t.Error("the toolset does not follow the globs")
	}
	c := connect(t, environment(t), "--workspace", dir, "--toolsets", "logic")
	var result struct {
		Error toolset.Error `json:"error"`
	}
	c.call("find_logic_evidence", map[string]any{"question": "What is the most?", "scope": "backend"}, &result)
	for _, part := range []string{"backend/**", "openspec/specs/**", "openspec/changes/*/specs/**"} {
		if !strings.Contains(result.Error.Message, part) || result.Error.Code != toolset.NotAvailable {
			t.Errorf("%+v does not name %s", result.Error, part)
		}
	}
	if !strings.Contains(result.Error.Message, "there are src/") {
		t.Errorf("it does not say what there is: %+v", result.Error)
	}
}

func putFile(t testing.TB, dir, name, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// hostileRepository holds files as nobody wants them, and one that is in order.
func hostileRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"backend/good.ts":      "export const MAX_SEATS = 8;\n\nexport function reserve(seats: number) {\n  if (seats > MAX_SEATS) {\n    throw new Error('too many seats');\n  }\n}\n",
		"backend/binary.ts":    "const MAX_SEATS = 1;\x00\x01\x02\n",
		"backend/latin1.ts":    "const MAX_SEATS = 1; // caf\xe9\n",
		"backend/packed.js":    "const MAX_SEATS=1;" + strings.Repeat("function a(b){return b>MAX_SEATS}", 5000),
		"backend/generated.ts": "// Code generated by a tool. DO NOT EDIT.\n" + strings.Repeat("export const MAX_SEATS = 1; // seats\n", 150_000),
		"backend/huge.ts":      strings.Repeat("export const MAX_SEATS = 1; // seats\n", 150_000),
		"backend/broken.ts":    "export function reserve( { if (seats > 9 { throw new Error('too many seats'\n",
		"backend/empty.ts":     "",
		"backend/.gitignore":   "ignored.ts\n", "backend/ignored.ts": "const MAX_SEATS = 1;\n",
		"secret.ts":                    "const MAX_SEATS = 1; // TOP-SECRET\n",
		"openspec/specs/seats/spec.md": "# Seats\n\n## Requirements\n\n### Requirement: Seats\nA reservation MUST NOT hold more than 8 seats.\n",
	} {
		putFile(t, dir, name, text)
	}
	for link, target := range map[string]string{"backend/link.ts": "../secret.ts", "backend/up": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(link))); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	return dir
}

func TestLogicOnHostileFiles(t *testing.T) {
	dir := hostileRepository(t)
	c := connect(t, environment(t), "--workspace", dir)
	found := findEvidence(c, "How many seats may be reserved?")
	for _, e := range found.Evidence {
		if !slices.Contains([]string{"backend/good.ts", "backend/latin1.ts", "backend/broken.ts", "openspec/specs/seats/spec.md"}, e.Path) {
			t.Errorf("found in %s", e.Path)
		}
	}
	if a := answerFrom(c, "How many seats may be reserved?", found.Evidence); a.Status != answer.OK || !strings.Contains(a.Answer, "MAX_SEATS") {
		t.Errorf("%+v", a)
	}
	item := func(path, excerpt string, line any) map[string]any {
		return map[string]any{"id": "e", "kind": "code", "path": path, "line": line, "excerpt": excerpt, "relevance": .9, "source_priority": 1}
	}
	for _, tt := range []struct {
		name    string
		item    map[string]any
		code    toolset.Code // "" where the answer tells it as unknown
		unknown string
	}{
		{"up", item("../secret.ts", "const", 1), toolset.InvalidPath, ""},
		{"up inside", item("backend/../secret.ts", "const", 1), toolset.InvalidPath, ""},
		{"absolute", item(filepath.ToSlash(filepath.Join(dir, "secret.ts")), "const", 1), toolset.InvalidPath, ""},
		{"outside the globs", item("secret.ts", "const", 1), toolset.OutOfScope, ""},
		{"ignored by git", item("backend/ignored.ts", "const", 1), toolset.OutOfScope, ""},
		{"a link", item("backend/link.ts", "const", 1), toolset.Forbidden, ""},
		{"through a link", item("backend/up/secret.ts", "const", 1), toolset.Forbidden, ""},
		{"line 0", item("backend/good.ts", "export", 0), toolset.InvalidParameter, ""},
		{"past the end", item("backend/good.ts", "export", 900), "", "stale:backend/good.ts:900"},
		{"changed", item("backend/good.ts", "export const MAX_SEATS = 9;", 1), "", "stale:backend/good.ts:1"},
		{"gone", item("backend/none.ts", "export", 1), "", "stale:backend/none.ts:1"},
		{"empty file", item("backend/empty.ts", "export", nil), "", "stale:backend/empty.ts:null"},
		{"binary", item("backend/binary.ts", "const MAX_SEATS", 1), "", "unparsed:backend/binary.ts"},
		{"minified", item("backend/packed.js", "const MAX_SEATS", 1), "", "unparsed:backend/packed.js"},
		{"generated", item("backend/generated.ts", "export const", 2), "", "unparsed:backend/generated.ts"},
		{"5 MB", item("backend/huge.ts", "export const", 2), "", "unparsed:backend/huge.ts"},
	} {
		arguments := map[string]any{"question": "How many seats?", "evidence": []any{tt.item}}
		var result struct {
			answer.Answer
			Error toolset.Error `json:"error"`
		}
		c.call("ask_logic_qa", arguments, &result)
		if result.Error.Code != tt.code || tt.code == "" && (result.Status != answer.Insufficient || !slices.Equal(result.Unknowns, []string{tt.unknown}) || len(result.Answer.Evidence) > 0) {
			t.Errorf("%s: %+v", tt.name, result)
		}
	}
	broken := must[answer.Answer](c, "ask_logic_qa", map[string]any{"question": "How many seats?", "evidence": []any{item("backend/broken.ts", "export function", 1)}})
	if broken.Status != answer.OK || len(broken.Evidence) == 0 {
		t.Errorf("broken syntax: %+v", broken)
	}
	c.in.Close()
	if err := c.cmd.Wait(); err != nil || strings.Contains(c.stderr.String(), "seats") {
		t.Errorf("it ended with %v, or logged a question: %s", err, c.stderr)
	}
}

// A question is answered from its evidence: no index is made for that.
func TestAskNeverSearches(t *testing.T) {
	env := environment(t)
	c := connect(t, env, "--workspace", logicSample(t), "--toolsets", "logic")
	evidence := []any{map[string]any{"id": "e", "kind": "code", "path": "backend/ts/accounts.ts", "line": 4, "excerpt": "const MAX_FAILED_LOGINS", "relevance": .9, "source_priority": 1}}
	a := must[answer.Answer](c, "ask_logic_qa", map[string]any{"question": "When is an account locked?", "evidence": evidence})
	if a.Status != answer.OK {
		t.Errorf("%+v", a)
	}
	for _, g := range a.Evidence {
		if g.Path != "backend/ts/accounts.ts" {
			t.Errorf("a line that was not given: %+v", g)
		}
	}
	_ = filepath.WalkDir(strings.TrimPrefix(env[0], "HOME="), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".seg") {
			t.Errorf("an index was made: %s", path)
		}
		return nil
	})
}

// A chat service words an answer; its key reaches that service and nobody else.
func TestChatAnswers(t *testing.T) {
	const key = "s3cret-key-0451"
	said := `{"statements": [{"text": "` + "`MAX_FAILED_LOGINS` is `10`." + `", "claims": [1]}, {"text": "It takes 99 days.", "claims": [1]}]}`
	keys := make(chan string, 10)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys <- r.Header.Get("Authorization")
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": said}}}})
	}))
	defer service.Close()
	env := append(environment(t), "LOGIC_ANSWERER=chat", "LOGIC_CHAT_URL="+service.URL+"/v1", "LOGIC_CHAT_MODEL=tiny", "LOGIC_CHAT_KEY="+key, "LOG_LEVEL=trace")
	c := connect(t, env, "--workspace", logicSample(t))
	evidence := []any{map[string]any{"id": "e", "kind": "code", "path": "backend/ts/accounts.ts", "line": 4, "excerpt": "const MAX_FAILED_LOGINS", "relevance": .9, "source_priority": 1}}
	a := must[answer.Answer](c, "ask_logic_qa", map[string]any{"question": "When is an account locked?", "evidence": evidence})
	if a.Answer != "`MAX_FAILED_LOGINS` is `10`." || !slices.Equal(a.Unknowns, []string{"unbacked:It takes 99 days."}) || <-keys != "Bearer "+key {
		t.Errorf("%+v", a)
	}
	c.call("manual_find", map[string]any{"query": "x"}, new(json.RawMessage))
	noKey(t, c, key)
	c.in.Close()
	_ = c.cmd.Wait()
	if strings.Contains(c.stderr.String(), key) {
		t.Error("the key is logged")
	}
}

// noKey holds that no process of a server was handed a key.
func noKey(t *testing.T, c *client, key string) {
	t.Helper()
	environments, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil || len(environments) == 0 {
		t.Log("the environments of processes cannot be read here")
	}
	own := filepath.Join("/proc", strconv.Itoa(c.cmd.Process.Pid), "environ")
	for _, path := range environments {
		if raw, err := os.ReadFile(path); err == nil && path != own && bytes.Contains(raw, []byte(key)) {
			t.Errorf("%s holds the key", path)
		}
	}
}

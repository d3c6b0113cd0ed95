package answer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const sample = "../../../../testdata/logic/repo"

func asker(t *testing.T, dir string) answer.Asker {
	t.Helper()
	tree, err := repo.OpenTree(dir, repo.DefaultGlobs(), code.MaxSize+1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tree.Close() })
	return answer.Asker{Files: tree, Globs: repo.DefaultGlobs()}
}

// place returns the first line of a file of the sample that contains text.
func place(t *testing.T, path, text string) evidence.Evidence {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(sample, path))
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(src), "\n") {
		if strings.Contains(line, text) {
			at := evidence.Line(i + 1)
			e := evidence.Evidence{ID: fmt.Sprint(path, at), Kind: evidence.Code, Path: path, Line: &at, Excerpt: strings.TrimSpace(line), Relevance: .9, SourcePriority: 1}
			if strings.HasPrefix(path, "openspec/") {
				e.Kind, e.SourcePriority = evidence.Spec, 3
			}
			if strings.HasPrefix(path, "openspec/changes/") {
				e.SourcePriority = 2
			}
			return e
		}
	}
	t.Fatalf("%s does not hold %q", path, text)
	return evidence.Evidence{}
}

func ask(t *testing.T, question string, items ...evidence.Evidence) answer.Answer {
	t.Helper()
	a, err := asker(t, sample).Ask(t.Context(), question, items)
	if err != nil {
		t.Fatal(err)
	}
	grounded(t, a)
	return a
}

// grounded checks that every line of an answer is the claim of a ground, and that every ground is a line of its file.
func grounded(t *testing.T, a answer.Answer) {
	t.Helper()
	if a.Status != answer.OK {
		if len(a.Evidence) > 0 || a.Confidence != 0 {
			t.Errorf("%s with grounds: %+v", a.Status, a)
		}
		return
	}
	for line := range strings.SplitSeq(a.Answer, "\n") {
		if !slices.ContainsFunc(a.Evidence, func(g answer.Ground) bool { return g.Claim == line }) {
			t.Errorf("no ground for %q", line)
		}
	}
	for _, g := range a.Evidence {
		src, err := os.ReadFile(filepath.Join(sample, g.Path))
		if err != nil || g.Line == nil || *g.Line < 1 || int(*g.Line) > strings.Count(string(src), "\n") {
			t.Errorf("%s has no line %v: %v", g.Path, g.Line, err)
		}
	}
}

// The acceptance cases: conditions have two grounds or more.
func TestQuestionOnACondition(t *testing.T) {
	a := ask(t, "Under which condition is a folder full?",
		place(t, "backend/ts/uploads.ts", "folder.fileCount >= 1000"), place(t, "openspec/specs/uploads/spec.md", "1,000 files or more"))
	want := answer.Answer{
		Answer: "`addToFolder` fails with `HttpError` \"folder is full\" (409) when `folder.fileCount >= 1000`.\n" +
			"The specification “Files in a folder” says: A folder that holds 1,000 files or more SHALL refuse another file.",
		Confidence: .65, Unknowns: []string{}, Status: answer.OK,
	}
	if diff := cmp.Diff(want.Answer, a.Answer); diff != "" || len(a.Evidence) != 2 || a.Confidence > want.Confidence || a.SpecMismatch || len(a.Unknowns) != 0 {
		t.Errorf("%+v\n%s", a, diff)
	}
}

// Failures: unknowns are empty or say why.
func TestQuestionOnAFailure(t *testing.T) {
	told := ask(t, "在庫が存在しない注文を照会すると、どのエラーになりますか？", place(t, "backend/ts/orders.ts", "if (!order)"))
	if told.Answer != "`findOrder` は `!order` のとき、`HttpError` \"order not found\" (404) で失敗する。" || len(told.Unknowns) != 0 {
		t.Errorf("%+v", told)
	}
}

// An answer also says what a function does if it neither branches nor fails, and what remains if none of its conditions
// is true.
func TestAnswersReadWholeFunctions(t *testing.T) {
	for _, tt := range []struct{ path, text, question, want string }{
		{"backend/py/billing.py", "def late_fee", "What is the late fee?", "`LATE_FEE_RATE` is `Decimal(\"0.05\")`.\n`late_fee` returns `invoice.total * LATE_FEE_RATE`."},
		{"backend/ts/orders.ts", "function refundOrder", "How is an order refunded?", "`refundOrder` does `await checkApproval(order)`.\n`refundOrder` does `await transferMoney(order.customer, order.total)`."},
		{"backend/ts/orders.ts", "function shippingFee", "送料はいくら？", "`shippingFee` は `order.total > 5000` のとき `return 0` を行う。\n`shippingFee` はそれ以外のとき、`600` を返す。"},
		{"backend/py/members.py", "def rank_of", "Which rank?", "`rank_of` returns `gold` when `points > 10000`.\n`rank_of` returns `silver` when `points >= 3000`.\n`rank_of` otherwise returns `bronze`."},
		{"backend/ts/uploads.ts", "function checkType", "Which types are refused?", "`ALLOWED_ATTACHMENT_TYPES` is `['png', 'jpeg', 'gif', 'pdf']`.\n`checkType` fails with `HttpError` \"unsupported type\" (422) when `!ALLOWED_ATTACHMENT_TYPES.includes(file.type)`."},
	} {
		if a := ask(t, tt.question, place(t, tt.path, tt.text)); a.Answer != tt.want {
			t.Errorf("%s\n%s", tt.text, cmp.Diff(tt.want, a.Answer))
		}
	}
}

// An answer leaves out places that score far below the best, and places that mention nothing of the question.
func TestPlacesAsideAreSilent(t *testing.T) {
	about, far, other := place(t, "backend/ts/accounts.ts", "function recordFailedLogin"), place(t, "backend/py/members.py", "def report_fraud"), place(t, "backend/py/billing.py", "def late_fee")
	far.Relevance, other.Relevance = .4, .6
	a := ask(t, "When is an account locked?", about, far, other)
	if !strings.Contains(a.Answer, "MAX_FAILED_LOGINS") || strings.Contains(a.Answer, "report_fraud") || strings.Contains(a.Answer, "late_fee") {
		t.Errorf("%+v", a)
	}
	if a := ask(t, "When is an account locked?", far, other); !strings.Contains(a.Answer, "report_fraud") {
		t.Errorf("nothing better is at hand: %+v", a)
	}
}

// The best code is part of the answer beside a far more relevant specification, even if it shares no word with the
// question.
func TestBestOfEachKindIsHeard(t *testing.T) {
	spec, code := place(t, "openspec/specs/orders/spec.md", "返品は受け取りから"), place(t, "backend/py/billing.py", "def late_fee")
	code.Relevance = .4
	if a := ask(t, "返品はいつまでできますか", code, spec); !strings.Contains(a.Answer, "late_fee") || !strings.Contains(a.Answer, "14日以内") {
		t.Error(a.Answer)
	}
}

// If no line of the evidence says anything, nothing is claimed.
func TestEvidenceThatSaysNothing(t *testing.T) {
	a := asking(t, "When is it shipped?", map[string]string{"backend/a.go": "package a¶\n\nimport \"fmt\"\n"})
	if a.Status != answer.Insufficient || len(a.Evidence) > 0 || slices.Contains(a.Unknowns, "answerer_failed") {
		t.Errorf("%+v", a)
	}
}

// Declaring an error is not a failure.
func TestDeclaredErrors(t *testing.T) {
	a := ask(t, "いつ失敗する？", place(t, "backend/go/tickets.go", `errClosed    = errors.New`))
	if !strings.Contains(a.Answer, "`errClosed` はエラー `errors.New` \"ticket is closed\" である。") {
		t.Errorf("%+v", a)
	}
}

// If a line of the evidence cannot be interpreted, the answer quotes it.
func TestAnswerQuotes(t *testing.T) {
	a := ask(t, "What is an item?", place(t, "backend/ts/uploads.ts", "export type Visibility"))
	if a.Answer != "The line reads: `export type Visibility = 'private' | 'team' | 'public';`" || len(a.Evidence) != 1 {
		t.Errorf("%+v", a)
	}
}

func TestQuestionWithoutEvidence(t *testing.T) {
	for question, say := range map[string]string{"When is an account locked?": "does not tell", "いつロックされますか？": "断定できません"} {
		a := ask(t, question)
		if a.Status != answer.Insufficient || a.Confidence != 0 || !strings.Contains(a.Answer, say) || len(a.Unknowns) == 0 {
			t.Errorf("%+v", a)
		}
	}
}

func TestQuestionOutOfScope(t *testing.T) {
	a := ask(t, "How many users do we have?", place(t, "backend/ts/accounts.ts", "MAX_FAILED_LOGINS"))
	if a.Status != answer.OutOfScope || a.Confidence != 0 || a.SpecMismatch || a.Answer == "" {
		t.Errorf("%+v", a)
	}
}

func TestMismatchIsTold(t *testing.T) {
	code, spec := place(t, "backend/ts/accounts.ts", "account.failedLogins >="), place(t, "openspec/specs/accounts/spec.md", "5 consecutive")
	a := ask(t, "After how many failed logins is an account locked?", code, spec)
	unknown := "mismatch:openspec/specs/accounts/spec.md:backend/ts/accounts.ts"
	if !a.SpecMismatch || !slices.Contains(a.Unknowns, unknown) || a.Confidence != .4 || !strings.Contains(a.Answer, "Code and specification disagree (number)") {
		t.Errorf("%+v", a)
	}
	code.Relevance = .6
	if b := ask(t, "After how many failed logins is an account locked?", code, spec); !b.SpecMismatch {
		t.Errorf("both sides stand in the answer: %+v", b)
	}
}

// A contradiction is found among other places too, and the answer states each difference once.
func TestMismatchShowsAmongOthers(t *testing.T) {
	items := []evidence.Evidence{}
	for _, at := range [][2]string{{"backend/ts/accounts.ts", "function recordFailedLogin"}, {"backend/ts/accounts.ts", "LOCK_DURATION_MS ="}, {"backend/ts/accounts.ts", "function requestReset"},
		{"openspec/specs/accounts/spec.md", "Lock duration"}, {"openspec/specs/accounts/spec.md", "5 consecutive"}, {"openspec/specs/accounts/spec.md", "## Purpose"}} {
		items = append(items, place(t, at[0], at[1]))
	}
	a := ask(t, "When is an account locked?", items...)
	if !a.SpecMismatch || strings.Count(a.Answer, "disagree") != 1 || strings.Contains(a.Answer, "## Purpose") {
		t.Errorf("%+v", a)
	}
}

func TestSpecConflictIsTold(t *testing.T) {
	a := ask(t, "紹介で何ポイントもらえますか？", place(t, "openspec/changes/raise-limits/specs/members/spec.md", "A referral"),
		place(t, "openspec/specs/members/spec.md", "A referral"))
	unknown := "spec_conflict:openspec/changes/raise-limits/specs/members/spec.md:openspec/specs/members/spec.md"
	if a.SpecMismatch || !slices.Contains(a.Unknowns, unknown) || !slices.Contains(a.Unknowns, "no_code_evidence") || !strings.Contains(a.Answer, "変更仕様と本仕様が食い違う（数値）") {
		t.Errorf("%+v", a)
	}
}

func TestStaleEvidenceSupportsNothing(t *testing.T) {
	code := place(t, "backend/ts/orders.ts", "const RETURN_WINDOW_DAYS")
	moved, past, gone, changed := code, code, code, code
	next, far := *code.Line+1, evidence.Line(100000)
	moved.Line, past.Line, gone.Path, changed.Excerpt = &next, &far, "backend/ts/none.ts", "const RETURN_WINDOW_DAYS = 15;"
	for _, e := range []evidence.Evidence{moved, past, gone, changed} {
		a := ask(t, "How long may goods be returned?", e)
		if want := fmt.Sprintf("stale:%s:%d", e.Path, *e.Line); a.Status != answer.Insufficient || !slices.Equal(a.Unknowns, []string{want}) {
			t.Errorf("%+v, want %s", a, want)
		}
	}
	if a := ask(t, "How long may goods be returned?", code, changed); a.Status != answer.OK || a.Confidence > .6 || len(a.Evidence) == 0 || !slices.Equal(a.Unknowns, []string{fmt.Sprint("stale:", changed.Path, ":", *changed.Line)}) {
		t.Errorf("%+v", a)
	}
	code.Line = nil
	if a := ask(t, "How long may goods be returned?", code); a.Status != answer.OK || *a.Evidence[0].Line != next-1 {
		t.Errorf("an excerpt without a line: %+v", a)
	}
}

// A path that cannot be evidence is refused, whatever its content.
func TestPathsThatLeadElsewhere(t *testing.T) {
	dir, line := t.TempDir(), evidence.Line(1)
	for name, src := range map[string]string{"secret.ts": "x = 1\n", "backend/own.ts": "x = 1\n", "backend/.gitignore": "ignored.ts\n", "backend/ignored.ts": "x = 1\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"backend/link.ts": "../secret.ts", "backend/in.ts": "own.ts", "backend/up": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	for path, want := range map[string]toolset.Code{
		"backend/link.ts": toolset.Forbidden, "backend/in.ts": toolset.Forbidden, "backend/up/secret.ts": toolset.Forbidden, "backend/ignored.ts": toolset.OutOfScope,
		"secret.ts": toolset.OutOfScope, "../secret.ts": toolset.InvalidPath, "/etc/passwd": toolset.InvalidPath, "backend/../secret.ts": toolset.InvalidPath,
	} {
		_, err := asker(t, dir).Ask(t.Context(), "When?", []evidence.Evidence{
			{ID: "1", Kind: evidence.Code, Path: path, Line: &line, Excerpt: "x = 1", Relevance: 1, SourcePriority: 1}})
		if f, ok := errors.AsType[*toolset.Error](err); !ok || f.Code != want || f.Details["parameter"] != "evidence[0].path" {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}

func TestHostileFiles(t *testing.T) {
	dir := t.TempDir()
	line, files := evidence.Line(1), map[string]string{
		"binary.ts": "x = 1\x00\x01\n", "packed.js": "x=1;" + strings.Repeat("a(b);", 20000), "huge.ts": "x = 1\n" + strings.Repeat("// filler filler filler\n", 250000),
		"broken.ts": "x = 1\nexport function f( { if (a > { throw new Error('b'\n",
	}
	if err := os.MkdirAll(filepath.Join(dir, "backend"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, src := range files {
		if err := os.WriteFile(filepath.Join(dir, "backend", name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		a, err := asker(t, dir).Ask(t.Context(), "When?", []evidence.Evidence{
			{ID: "1", Kind: evidence.Code, Path: "backend/" + name, Line: &line, Excerpt: src[:3], Relevance: 1, SourcePriority: 1}})
		unparsed := slices.Contains(a.Unknowns, "unparsed:backend/"+name)
		if err != nil || unparsed == (name == "broken.ts") || unparsed != (a.Status == answer.Insufficient) {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}

func TestAnswersAreTheSameInEveryRun(t *testing.T) {
	items := []evidence.Evidence{place(t, "backend/py/members.py", "points > 10000"), place(t, "backend/ts/accounts.ts", "password.length"),
		place(t, "openspec/specs/members/spec.md", "10,000 points"), place(t, "openspec/specs/accounts/spec.md", "at least 12")}
	first := ask(t, "Which rank does a member with 10,000 points have?", items...)
	for range 5 {
		if diff := cmp.Diff(first, ask(t, "Which rank does a member with 10,000 points have?", items...)); diff != "" {
			t.Fatal(diff)
		}
	}
	if len(first.Evidence) < 3 {
		t.Errorf("%+v", first)
	}
}

// saying is an answerer with a fixed wording.
type saying struct {
	wording answer.Wording
	err     error
}

func (s saying) Word(context.Context, answer.Material) (answer.Wording, error) {
	return s.wording, s.err
}

func TestAnswererFails(t *testing.T) {
	a := asker(t, sample)
	question, items := "Is an order shipped?", []evidence.Evidence{place(t, "backend/ts/orders.ts", "order.status = 'sent'")}
	for _, s := range []saying{{err: errors.New("down")}, {wording: answer.Wording{Dropped: []string{"It flies."}}}} {
		a.Answerer = s
		got, err := a.Ask(t.Context(), question, items)
		if err != nil || !slices.Contains(got.Unknowns, "answerer_failed") || !strings.Contains(got.Answer, "`sent`") {
			t.Errorf("%+v, %v", got, err)
		}
	}
	a.Answerer = saying{wording: answer.Wording{Statements: []answer.Statement{{Text: "It is sent.", Claims: []int{0}}}, Dropped: []string{"It flies."}}}
	got, err := a.Ask(t.Context(), question, items)
	if err != nil || got.Answer != "It is sent." || !slices.Equal(got.Unknowns, []string{"unbacked:It flies."}) {
		t.Errorf("%+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Ask(ctx, question, items); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

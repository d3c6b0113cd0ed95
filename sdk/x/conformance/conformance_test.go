package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// take creates a suite.
func take(t *testing.T, start func(context.Context) (Strategy, error)) *Suite {
	t.Helper()
	e, err := New(t.Context(), Subject{Start: start, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() }) // a sinner may fail to close
	return e
}

func TestEveryRuleCanBeKept(t *testing.T) {
	for _, stage := range []sdk.Stage{sdk.StageRetrieve, sdk.StageFill, sdk.StageRerank, sdk.StageFeedback, sdk.StageGather, sdk.StageJudge} {
		e := take(t, Local(func() sdk.Strategy { return plainest{stage} }, ""))
		for _, rule := range Rules() {
			if err := e.Check(t.Context(), rule); err != nil {
				t.Errorf("%s, %s: %v", stage, rule.ID, err)
			}
		}
	}
}

// answerRules are the rules that are checked on the answers to ordinary queries.
var answerRules = []string{"answers", "scores", "sections", "unique", "limit", "signals", "quotes", "extent", "order"}

func TestEveryRuleCanBeBroken(t *testing.T) {
	unbroken := map[string]bool{}
	for _, rule := range Rules() {
		unbroken[rule.ID] = true
	}
	for _, sin := range sins() {
		delete(unbroken, sin.rule)
		t.Run(sin.rule+"/"+sin.how, func(t *testing.T) {
			t.Parallel()
			e := take(t, Local(func() sdk.Strategy {
				s := sin.make()
				s.stage = cmp.Or(s.stage, sdk.StageRetrieve)
				return s
			}, ""))
			for _, rule := range Rules() {
				guilty := rule.ID == sin.rule
				if !guilty && !slices.Contains(answerRules, rule.ID) {
					continue
				}
				err := e.Check(t.Context(), rule)
				if guilty != (err != nil) || guilty && !strings.Contains(err.Error(), sin.told) {
					t.Errorf("%s: %v, want %q", rule.ID, err, sin.told)
				}
			}
		})
	}
	for id := range unbroken {
		t.Errorf("no strategy breaks the rule %s", id)
	}
}

// A configuration that does not match the schema breaks one rule, not every rule that starts with it.
func TestAMisfitIsToldOnce(t *testing.T) {
	for config, want := range map[string]string{`{}`: "", `[1]`: "got array, want object"} {
		e, err := New(t.Context(), Subject{
			Start: Local(func() sdk.Strategy { return plainest{sdk.StageRetrieve} }, ""), Dir: t.TempDir(), Config: json.RawMessage(config),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range Rules() {
			if rule.ID != "config" && !slices.Contains(answerRules, rule.ID) {
				continue
			}
			err := e.Check(t.Context(), rule)
			if told := rule.ID == "config" && want != ""; told != (err != nil) || told && err.Error() != want {
				t.Errorf("%s with %s: %v, want %q", rule.ID, config, err, want)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestALimitOfMessagesIsFound(t *testing.T) {
	e := take(t, local(func() sdk.Strategy { return plainest{sdk.StageRetrieve} }, ""))
	for _, rule := range Rules() {
		err := e.Check(t.Context(), rule)
		if (rule.ID == "large") != (err != nil) || err != nil && !strings.Contains(err.Error(), wire.ErrTooLarge.Error()) {
			t.Errorf("%s: %v", rule.ID, err)
		}
	}
}

func TestWhatCannotBeExamined(t *testing.T) {
	for what, tc := range map[string]struct {
		make func() sdk.Strategy
		say  string
	}{
		"no start":       {func() sdk.Strategy { panic("no model") }, "it does not start: panic: no model"},
		"no description": {func() sdk.Strategy { return &sinner{describe: func(*sdk.Description) { panic("who am I") }} }, "it does not describe itself: panic: who am I"},
	} {
		_, err := New(t.Context(), Subject{Start: Local(tc.make, ""), Dir: t.TempDir()})
		if err == nil || !strings.HasPrefix(err.Error(), tc.say) {
			t.Errorf("%s: %v, want %q", what, err, tc.say)
		}
	}
}

func TestHanging(t *testing.T) {
	const patience = 50 * time.Millisecond
	forever := func(ctx context.Context) error {
		<-ctx.Done()
		time.Sleep(patience)
		return errSin
	}
	for what, tc := range map[string]struct {
		make func() *sinner
		rule string
	}{
		"search": {func() *sinner {
			return &sinner{before: func(ctx context.Context, _ *sdk.Request) error { return forever(ctx) }}
		}, "answers"},
		"open": {func() *sinner { return &sinner{opening: forever} }, "answers"},
	} {
		e, err := New(t.Context(), Subject{Dir: t.TempDir(), Timeout: patience, Start: Local(func() sdk.Strategy {
			s := tc.make()
			s.stage = sdk.StageRetrieve
			return s
		}, "")})
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range Rules()[:3] {
			if err := e.Check(t.Context(), rule); errors.Is(err, errHung) != (rule.ID == tc.rule) {
				t.Errorf("%s, %s: %v", what, rule.ID, err)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDifferenceInTheLastDigits(t *testing.T) {
	list := func(scores ...float64) *sdk.Result {
		res := &sdk.Result{}
		for i, score := range scores {
			res.Candidates = append(res.Candidates, sdk.Candidate{Section: uint32(i), Score: score})
		}
		return res
	}
	swapped := list(0.3, 0.30000000000000004)
	swapped.Candidates[0], swapped.Candidates[1] = swapped.Candidates[1], swapped.Candidates[0]
	reversed := list(0.3, 0.3)
	slices.Reverse(reversed.Candidates)
	for name, tc := range map[string]struct {
		before, after *sdk.Result
		want          string
	}{
		"of a sum":                  {list(0.6000000000000001, 0.1), list(0.6, 0.1), "do you range over a map?"},
		"of a sum that orders":      {list(0.3, 0.3), swapped, "do you range over a map?"},
		"of equal scores":           {list(0.3, 0.3), reversed, "candidate 1 is section 1, before section 0: both"},
		"of the first digits, too":  {list(0.6, 0.1), list(0.6000001, 0.1), "candidate 1 is"},
		"of no score":               {list(0.6), list(0.6), ""},
		"of another number of rows": {list(0.6), list(0.6, 0.5), "2 candidates, before 1"},
	} {
		if got := difference(tc.before, tc.after); tc.want == "" && got != "" || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

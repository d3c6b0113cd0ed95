package host

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// same compares results as their readers see them.
var same = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b *roaring.Bitmap) bool {
		return (a == nil) == (b == nil) && (a == nil || a.Equals(b))
	}),
}

func TestProcessAndLocalAgree(t *testing.T) {
	h, snap := start(t, options(t, "one", "two"))
	local := InProcess(&actor{name: "one"}, &actor{name: "two"})
	wantD, _ := local.Strategies(t.Context())
	gotD, failures := h.Strategies(t.Context())
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	sdkOfProcess := cmpopts.IgnoreFields(sdk.Description{}, "SDK")
	if diff := cmp.Diff(wantD, gotD, same, sdkOfProcess); diff != "" {
		t.Error(diff)
	}
	for _, scope := range []*roaring.Bitmap{nil, roaring.New(), roaring.BitmapOf(1, 4, 9)} {
		req := request(snap, "find")
		req.Scope, req.Limit = scope, 7
		req.Query.Terms = []sdk.Term{{Text: "例外", Kind: sdk.TermMust, Phrase: true, Weight: 1}, {Text: "b"}}
		want, err := local.Search(t.Context(), "two", req)
		must(t, err)
		got, err := h.Search(t.Context(), "two", req)
		must(t, err)
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Errorf("scope %v: %s", scope, diff)
		}
	}
}

func TestErrors(t *testing.T) {
	h, snap := start(t, options(t, "actor"))
	for where, s := range map[string]searcher{"process": h, "local": InProcess(&actor{name: "actor"})} {
		t.Run(where, func(t *testing.T) {
			_, err := s.Search(t.Context(), "actor", request(snap, "panic"))
			p, ok := errors.AsType[*guard.PanicError](err)
			if !ok || p.Value != "on demand" || !strings.Contains(p.Stack, "actor") {
				t.Errorf("a panic gave %v", err)
			}
			_, err = s.Search(t.Context(), "actor", request(snap, "fail 言えない"))
			if f, ok := errors.AsType[Failure](err); !ok || f.Name != "actor" || f.Err.Error() != "言えない" {
				t.Errorf("an error gave %v", err)
			}
			if _, err = s.Search(t.Context(), "actor", request(snap, "nil")); err == nil {
				t.Error("no result and no error passed")
			}
			if _, err = s.Search(t.Context(), "nobody", request(snap, "find")); !errors.Is(err, ErrUnknown) {
				t.Errorf("an unknown name gave %v", err)
			}
		})
	}
}

func TestStrayPrints(t *testing.T) {
	h, snap := start(t, options(t, "printer"))
	for range 3 {
		res, err := h.Search(t.Context(), "printer", request(snap, "print"))
		must(t, err)
		if len(res.Candidates) != 10 {
			t.Errorf("%d candidates", len(res.Candidates))
		}
	}
}

func TestCrashCostsOneQuery(t *testing.T) {
	h, snap := start(t, options(t, "actor"))
	before := ask(t, h, snap, "pid")
	_, err := h.Search(t.Context(), "actor", request(snap, "exit"))
	if !errors.Is(err, wire.ErrGone) || !strings.Contains(err.Error(), "exit status 7") {
		t.Errorf("a crash gave %v", err)
	}
	if after := ask(t, h, snap, "pid"); after == before {
		t.Error("the process that crashed still answers")
	}
	st := h.Status()[0]
	if st.Restarts != 1 || st.State != StateRunning || st.LastError == "" {
		t.Errorf("status %+v", st)
	}
}

func TestKilledBetweenCalls(t *testing.T) {
	h, snap := start(t, options(t, "actor"))
	ask(t, h, snap, "pid")
	p := h.supervisors[0].current
	p.runner.kill()
	<-p.runner.done
	if got := h.Status()[0].State; got != StateFailed {
		t.Errorf("state %q", got)
	}
	ask(t, h, snap, "pid")
}

func TestHangIsReplaced(t *testing.T) {
	o := options(t, "actor")
	o.CallTimeout = time.Second
	h, snap := start(t, o)
	settle(t, h)
	before := ask(t, h, snap, "pid")
	if _, err := h.Search(t.Context(), "actor", request(snap, "sleep")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a hang gave %v", err)
	}
	settle(t, h)
	if after := ask(t, h, snap, "pid"); after == before {
		t.Error("the process that hung still answers")
	}
}

func TestPartialResultAtTheDeadline(t *testing.T) {
	o := options(t, "actor")
	o.CallTimeout = time.Second
	h, snap := start(t, o)
	settle(t, h)
	if got := ask(t, h, snap, "wait"); got != "cut short" {
		t.Errorf("got %q", got)
	}
}

func TestCallerGivesUp(t *testing.T) {
	h, snap := start(t, options(t, "actor"))
	before := ask(t, h, snap, "pid")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := h.Search(ctx, "actor", request(snap, "wait")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call gave %v", err)
	}
	if after := ask(t, h, snap, "pid"); after != before {
		t.Error("a caller that gave up cost the process its life")
	}
}

func TestFailedStarts(t *testing.T) {
	o := options(t, "good", "quitter", "misnamed", "choosy")
	o.Bundled = func(names ...string) []string {
		if names[0] == "misnamed" {
			names[0] = "other"
		}
		return []string{partServe, names[0]}
	}
	o.Entries[3].Config = json.RawMessage(`{"bad":1}`)
	h, _ := start(t, o)
	described, failures := h.Strategies(t.Context())
	if len(described) != 1 || described[0].Name != "good" {
		t.Errorf("described %v", described)
	}
	want := map[string]string{
		"quitter":  "cannot find my model",
		"misnamed": border.RuleDescription, "choosy": "a bad configuration",
	}
	for _, f := range failures {
		if !strings.Contains(f.Error(), want[f.Name]) || want[f.Name] == "" {
			t.Errorf("%v, want %q", f, want[f.Name])
		}
		if strings.Contains(f.Error(), "signal") { // which the host sent
			t.Errorf("%v tells of the end that the host made", f)
		}
		delete(want, f.Name)
	}
	if len(want) > 0 {
		t.Errorf("no failure of %v", want)
	}
}

func TestSlowStarts(t *testing.T) {
	o := options(t, "mute")
	o.StartTimeout, o.CallTimeout = time.Second, time.Millisecond
	h, _ := start(t, o)
	_, failures := h.Strategies(t.Context())
	if len(failures) != 1 || !strings.Contains(failures[0].Error(), "did not start within 1s") {
		t.Errorf("failures %v", failures)
	}
	_, failures = h.Strategies(t.Context())
	if len(failures) != 1 || !strings.Contains(failures[0].Error(), "still starting") {
		t.Errorf("failures %v", failures)
	}
}

func TestNobodyWaitsForOneSlowStart(t *testing.T) {
	o := options(t, "good", "mute")
	o.CallTimeout = 300 * time.Millisecond
	h, _ := start(t, o)
	for range 2 {
		described, failures := h.Strategies(t.Context())
		if len(described) != 1 || described[0].Name != "good" {
			t.Errorf("described %v", described)
		}
		if len(failures) != 1 || failures[0].Name != "mute" || !errors.Is(failures[0], ErrStarting) {
			t.Errorf("failures %v", failures)
		}
	}
}

func TestMutualTLS(t *testing.T) {
	o := options(t, "stock", "bare")
	o.StartTimeout = 5 * time.Second // the clear one is never understood
	h, snap := start(t, o)
	ask(t, h, snap, "pid") // keys of another kind will do
	if _, err := h.Search(t.Context(), "bare", request(snap, "pid")); err == nil {
		t.Error("a strategy that speaks in the clear was called")
	}
}

func TestWarm(t *testing.T) {
	h, snap := start(t, options(t, "one", "two"))
	h.Warm()
	for _, st := range h.Status() {
		if st.State != StateStarting && st.State != StateRunning {
			t.Errorf("%s is %s", st.Name, st.State)
		}
	}
	h.Warm()
	ask(t, h, snap, "pid")
	described, failures := h.Start(t.Context())
	if len(described) != 2 || len(failures) != 0 {
		t.Errorf("described %v, failed %v", described, failures)
	}
	for _, st := range h.Status() {
		if st.Restarts != 0 || st.Starting <= 0 {
			t.Errorf("%s: %d restarts, start took %v", st.Name, st.Restarts, st.Starting)
		}
	}
	must(t, h.Close())
	h.Warm()
	if st := h.Status()[0]; st.State != StateStopped {
		t.Errorf("a closed host started a process: %s", st.State)
	}
}

// A call says why a start failed that no call waited for, once.
func TestWarmFails(t *testing.T) {
	h, snap := start(t, options(t, "quitter"))
	for h.Status()[0].RetryIn == 0 {
		h.Warm()
		time.Sleep(time.Millisecond)
	}
	_, err := h.Search(t.Context(), "quitter", request(snap, "find"))
	if err == nil || errors.Is(err, ErrBackoff) {
		t.Error(err)
	}
	for !errors.Is(err, ErrBackoff) {
		_, err = h.Search(t.Context(), "quitter", request(snap, "find"))
	}
}

func TestBackoff(t *testing.T) {
	h, snap := start(t, options(t, "quitter"))
	var err error
	for range 3 {
		_, err = h.Search(t.Context(), "quitter", request(snap, "find"))
	}
	if !errors.Is(err, ErrBackoff) {
		t.Errorf("the third start in a row gave %v", err)
	}
}

func TestConfig(t *testing.T) {
	o := options(t, "actor")
	o.Entries[0].Config = json.RawMessage(`{"depth":3}`)
	h, snap := start(t, o)
	if got := ask(t, h, snap, "config"); got != `{"depth":3}` {
		t.Errorf("configured with %q", got)
	}
}

func TestIdleStop(t *testing.T) {
	o := options(t, "actor")
	o.IdleAfter = 50 * time.Millisecond
	h, snap := start(t, o)
	first := ask(t, h, snap, "pid")
	for h.Status()[0].State != StateStopped {
		time.Sleep(10 * time.Millisecond)
	}
	if described, _ := h.Strategies(t.Context()); len(described) != 1 {
		t.Error("an idle strategy is forgotten")
	}
	if second := ask(t, h, snap, "pid"); second == first {
		t.Error("the process was not stopped")
	}
	if st := h.Status()[0]; st.LastError != "" {
		t.Errorf("an idle stop is no failure: %q", st.LastError)
	}
}

func TestConcurrentCalls(t *testing.T) {
	h, snap := start(t, options(t, "one", "two"))
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			if _, err := h.Search(t.Context(), []string{"one", "two"}[i%2], request(snap, "find")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, st := range h.Status() {
		if st.Restarts != 0 || st.P50 <= 0 || st.PID == 0 {
			t.Errorf("status %+v", st)
		}
	}
}

func TestClosed(t *testing.T) {
	h, snap := start(t, options(t, "actor"))
	ask(t, h, snap, "pid")
	p := h.supervisors[0].current
	must(t, h.Close())
	if !p.runner.ended() {
		t.Error("the process outlives its host")
	}
	if _, err := h.Search(t.Context(), "actor", request(snap, "find")); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed host gave %v", err)
	}
	if _, failures := h.Strategies(t.Context()); len(failures) != 1 {
		t.Error("a closed host has strategies")
	}
}

func TestCloseWhileStarting(t *testing.T) {
	h, _ := start(t, options(t, "mute"))
	done := make(chan []Failure)
	go func() {
		_, failures := h.Strategies(context.Background())
		done <- failures
	}()
	for h.Status()[0].State != StateStarting {
		time.Sleep(time.Millisecond)
	}
	must(t, h.Close())
	if failures := <-done; len(failures) != 1 || !errors.Is(failures[0], ErrClosed) {
		t.Errorf("a start that was cut off gave %v", failures)
	}
}

func TestSlowOpenerIsNoHang(t *testing.T) {
	o := options(t, "slow-opener")
	o.CallTimeout = time.Second
	h, snap := start(t, o)
	settle(t, h)
	for range 2 { // the second does not wait
		if _, err := h.Search(t.Context(), "slow-opener", request(snap, "find")); !errors.Is(err, wire.ErrOpening) {
			t.Errorf("a search during Open gave %v", err)
		}
	}
	must(t, h.OpenOne(t.Context(), "slow-opener", snap))
	ask(t, h, snap, "pid")
	if st := h.Status()[0]; st.Restarts != 0 {
		t.Errorf("status %+v", st)
	}
}

func TestComplete(t *testing.T) {
	for name, want := range map[string][]int{"slow-preparer": {4, 8, 10}, "failing-preparer": {4}} {
		h, snap := start(t, options(t, name))
		var heard []int
		err := h.Complete(t.Context(), name, snap, func(done, total int) {
			if heard = append(heard, done); total != 10 {
				t.Errorf("%d sections in all", total)
			}
		})
		if diff := cmp.Diff(want, heard); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if failed := name == "failing-preparer"; failed != (err != nil) || failed && !strings.Contains(err.Error(), "no disk") {
			t.Errorf("%s: %v", name, err)
		}
	}
	h, snap := start(t, options(t, "actor"))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Complete(gone, "actor", snap, func(int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

func TestMessageSizes(t *testing.T) {
	h, snap := start(t, options(t, "actor"))
	if got := ask(t, h, snap, "large 6000000"); len(got) != 6_000_000 {
		t.Errorf("%d bytes", len(got))
	}
	if _, err := h.Search(t.Context(), "actor", request(snap, "large 68000000")); !errors.Is(err, wire.ErrTooLarge) {
		t.Errorf("an oversized message gave %v", err)
	}
	if st := h.Status()[0]; st.Restarts != 0 {
		t.Errorf("status %+v", st)
	}
}

func TestKnownStartsWhenCalled(t *testing.T) {
	o := options(t, "one", "two")
	d := (&actor{name: "two"}).Describe()
	o.Entries[1].Known = &d
	h, snap := start(t, o)
	h.Warm()
	described, failures := h.Strategies(t.Context())
	if len(described) != 2 || len(failures) > 0 || described[1].Version != d.Version {
		t.Fatalf("%v, failures %v", described, failures)
	}
	if st := h.Status(); st[0].State != StateRunning || st[1].State != StateStopped || st[1].Stage != d.Stage {
		t.Errorf("before a call %+v", st)
	}
	if _, err := h.Search(t.Context(), "two", request(snap, "find")); err != nil {
		t.Error(err)
	}
	if st := h.Status()[1]; st.State != StateRunning || st.Restarts != 0 {
		t.Errorf("after a call %+v", st)
	}
	if described, failures := h.Start(t.Context()); len(described) != 2 || len(failures) > 0 {
		t.Errorf("%v, failures %v", described, failures)
	}
}

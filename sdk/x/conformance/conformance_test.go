package conformance

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
	pb "github.com/sagasu-search/sagasu/sdk/x/wire/strategypb"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// starts are both ways to call a strategy of this process.
var starts = map[string]func(func() sdk.Strategy, string) func(context.Context) (Strategy, error){
	"in process": InProcess, "over gRPC": OverGRPC,
}

// take begins an suite.
func take(t *testing.T, start func(context.Context) (Strategy, error)) *Suite {
	t.Helper()
	e, err := New(t.Context(), Subject{Start: start, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() }) // a sinner may not close
	return e
}

func TestEveryRuleCanBeKept(t *testing.T) {
	for where, start := range starts {
		for _, stage := range []sdk.Stage{sdk.StageRetrieve, sdk.StageFill, sdk.StageRerank} {
			e := take(t, start(func() sdk.Strategy { return plainest{stage} }, ""))
			for _, rule := range Rules() {
				if err := e.Check(t.Context(), rule); err != nil {
					t.Errorf("%s, %s, %s: %v", where, stage, rule.ID, err)
				}
			}
		}
	}
}

// answerRules are the rules that are checked on the answers to ordinary queries.
var answerRules = []string{"answers", "scores", "sections", "unique", "limit", "signals", "extent", "order"}

func TestEveryRuleCanBeBroken(t *testing.T) {
	unbroken := map[string]bool{}
	for _, rule := range Rules() {
		unbroken[rule.ID] = true
	}
	for _, sin := range sins() {
		delete(unbroken, sin.rule)
		for where, start := range starts {
			t.Run(sin.rule+"/"+sin.how+"/"+where, func(t *testing.T) {
				t.Parallel()
				e := take(t, start(func() sdk.Strategy {
					s := sin.make()
					s.stage = sdk.StageRetrieve
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
	}
	for id := range unbroken {
		t.Errorf("no strategy breaks the rule %s", id)
	}
}

// A configuration that does not fit breaks one rule, not all that start with it.
func TestAMisfitIsToldOnce(t *testing.T) {
	for config, want := range map[string]string{`{}`: "", `[1]`: "array"} {
		e, err := New(t.Context(), Subject{
			Start: InProcess(func() sdk.Strategy { return plainest{sdk.StageRetrieve} }, ""), Dir: t.TempDir(), Config: json.RawMessage(config),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range Rules() {
			if rule.ID != "config" && !slices.Contains(answerRules, rule.ID) {
				continue
			}
			err := e.Check(t.Context(), rule)
			if told := rule.ID == "config" && want != ""; told != (err != nil) || told && !strings.Contains(err.Error(), want) {
				t.Errorf("%s with %s: %v, want %q", rule.ID, config, err, want)
			}
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestALimitOfMessagesIsFound(t *testing.T) {
	e := take(t, func(context.Context) (Strategy, error) {
		listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		conn, err := grpc.NewClient(listener.Addr().String(), append(wire.DialOptions(), grpc.WithTransportCredentials(insecure.NewCredentials()))...)
		if err != nil {
			return nil, err
		}
		r := &remote{Client: wire.NewClient(conn), conn: conn, transport: grpc.NewServer()}
		r.server = wire.NewServer(plainest{sdk.StageRetrieve}, hclog.NewNullLogger(), "")
		pb.RegisterStrategyServer(r.transport, r.server)
		r.serving.Go(func() { _ = r.transport.Serve(listener) })
		return r, nil
	})
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
		for where, start := range starts {
			_, err := New(t.Context(), Subject{Start: start(tc.make, ""), Dir: t.TempDir()})
			if err == nil || !strings.HasPrefix(err.Error(), tc.say) {
				t.Errorf("%s, %s: %v, want %q", what, where, err, tc.say)
			}
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
		for where, start := range starts {
			e, err := New(t.Context(), Subject{Dir: t.TempDir(), Timeout: patience, Start: start(func() sdk.Strategy {
				s := tc.make()
				s.stage = sdk.StageRetrieve
				return s
			}, "")})
			if err != nil {
				t.Fatal(err)
			}
			for _, rule := range Rules()[:3] {
				if err := e.Check(t.Context(), rule); errors.Is(err, errHung) != (rule.ID == tc.rule) {
					t.Errorf("%s, %s, %s: %v", what, where, rule.ID, err)
				}
			}
			if err := e.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

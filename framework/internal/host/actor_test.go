package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// actor is a strategy that does what its query says.
type actor struct {
	name   string
	opened atomic.Bool
	done   atomic.Int64 // sections, while it prepares in the background
	config string
}

func (a *actor) Describe() sdk.Description {
	switch a.name {
	case "describe-hanger":
		time.Sleep(time.Minute)
	case "describe-panicker":
		panic("in Describe")
	case "braggart":
		return sdk.Description{Name: a.name, Stage: sdk.StageRetrieve, ConfigSchema: make([]byte, 8<<20)}
	}
	return sdk.Description{
		Name: a.name, Version: "1", Stage: sdk.StageRetrieve, Weight: 0.5,
		Signals: []string{sdk.SignalHeading, sdk.SignalLoose}, Corpora: []snapshot.Kind{snapshot.KindManual},
		ConfigSchema: json.RawMessage(`{"type":"object"}`),
	}
}

func (a *actor) Configure(_ context.Context, config json.RawMessage) error {
	switch a.name {
	case "configure-hanger":
		time.Sleep(time.Minute)
	case "configure-panicker":
		panic("in Configure")
	case "configure-quitter":
		os.Exit(7)
	}
	if strings.Contains(string(config), "bad") {
		return errors.New("a bad configuration")
	}
	a.config = string(config)
	return nil
}

func (a *actor) Open(context.Context, *snapshot.Snapshot) error {
	switch a.name {
	case "slow-opener":
		time.Sleep(2 * time.Second)
	case "open-hanger":
		time.Sleep(time.Minute)
	}
	a.opened.Store(true)
	return nil
}

// Close implements io.Closer.
func (a *actor) Close() error {
	if a.name == "close-hanger" {
		time.Sleep(time.Minute)
	}
	return nil
}

func (a *actor) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	if !a.opened.Load() {
		return nil, errors.New("searched before it was opened")
	}
	verb, arg, _ := strings.Cut(req.Query.Raw, " ")
	if req.Query.Raw == "" && strings.HasSuffix(a.name, "-preparer") {
		done := int(a.done.Add(4))
		if done > 4 && a.name == "failing-preparer" {
			return nil, errors.New("no disk")
		}
		return &sdk.Result{Examined: min(done, 10), Finished: done >= 10}, nil
	}
	if a.name == "corrupter" && rand.IntN(2) == 0 {
		verb, arg = corruption()
	}
	if corruptNext.Swap(false) { // so that it cannot be taken for an answer
		ways := []string{"breach nan", "breach dead", "breach twice", "breach flood", "nil", "panic", "exit"}
		verb, arg, _ = strings.Cut(ways[rand.IntN(len(ways))], " ")
	}
	switch verb {
	case "find":
		return finding(req), nil
	case "panic":
		panic("on demand")
	case "exit":
		os.Exit(7)
	case "sleep": // deaf to its context
		time.Sleep(time.Minute)
	case "wait": // hears its context and gives what it has
		<-ctx.Done()
		return &sdk.Result{Warnings: []string{"cut short"}}, nil
	case "print":
		fmt.Println("a stray print in the middle")
		return finding(req), nil
	case "nil":
		return nil, nil
	case "fail":
		return nil, errors.New(arg)
	case "breach":
		return breaching(req, arg), nil
	case "text": // panics where there is none
		return &sdk.Result{Warnings: []string{req.Corpus.Source(0, snapshot.FieldBody)[:4]}}, nil
	}
	return a.report(ctx, verb, arg)
}

// corruptNext makes the next answer break the rules.
var corruptNext atomic.Bool

// corruption returns a way to break the rules, at random.
func corruption() (verb, arg string) {
	ways := []string{"panic", "exit", "print", "nil", "fail on purpose", "large 68000000"}
	for how := range breaches {
		ways = append(ways, "breach "+how)
	}
	verb, arg, _ = strings.Cut(ways[rand.IntN(len(ways))], " ")
	return verb, arg
}

// report tells of the process in a term.
func (a *actor) report(ctx context.Context, verb, arg string) (*sdk.Result, error) {
	var text string
	switch verb {
	case "read":
		_, err := os.ReadFile(arg)
		text = outcome(err)
	case "read-old":
		text = readOld(arg)
	case "write":
		text = outcome(os.WriteFile(arg, []byte("x"), 0o600))
	case "dial":
		conn, err := net.Dial("tcp4", arg)
		if err == nil {
			err = conn.Close()
		}
		text = outcome(err)
	case "state":
		text = outcome(os.WriteFile(filepath.Join(sdk.StateDir(ctx), "kept"), []byte("x"), 0o600))
	case "large":
		size, _ := strconv.Atoi(arg)
		text = strings.Repeat("x", size)
	case "temp":
		text = os.TempDir()
	case "environ":
		text = strings.Join(os.Environ(), "\n")
	case "config":
		text = a.config
	case "attack":
		text = attack(ctx, arg)
	case "pid":
		text = strconv.Itoa(os.Getpid())
	}
	return &sdk.Result{Candidates: []sdk.Candidate{{Terms: []string{text}}}}, nil
}

func outcome(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, os.ErrPermission):
		return "denied"
	default:
		return err.Error()
	}
}

// finding scores the sections of the scope by their id.
func finding(req *sdk.Request) *sdk.Result {
	scope := req.Scope
	if scope == nil {
		scope = req.Corpus.Live()
	}
	res := &sdk.Result{Matched: scope.Clone(), Examined: int(scope.GetCardinality()), Finished: true}
	for _, id := range scope.ToArray() {
		if len(res.Candidates) == req.Limit {
			break
		}
		c := sdk.Candidate{Section: id, Score: 1 / float64(id+3), Coverage: 1 / float64(id+1)}
		if id%2 == 0 {
			c.Signals = []string{sdk.SignalHeading, sdk.SignalLoose}[:1+id%4/2]
		}
		for _, term := range req.Query.Terms {
			c.Terms = append(c.Terms, term.Text)
		}
		res.Candidates = append(res.Candidates, c)
	}
	return res
}

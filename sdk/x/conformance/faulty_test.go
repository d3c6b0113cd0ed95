package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// plainest is a strategy that follows every rule: it counts words of the query.
type plainest struct{ stage sdk.Stage }

func (p plainest) Describe() sdk.Description {
	return sdk.Description{Name: "plainest", Version: "1", Stage: p.stage, Signals: []string{"words"}, Weight: 0.1, ConfigSchema: json.RawMessage(`{"type":"object"}`)}
}

func (plainest) Configure(context.Context, json.RawMessage) error { return nil }

func (p plainest) Search(_ context.Context, req *sdk.Request) (*sdk.Result, error) {
	switch p.stage {
	case sdk.StageJudge:
		return judged(req), nil
	case sdk.StageGather:
		return &sdk.Result{Finished: true}, nil
	}
	scope := req.Sections()
	ids := scope.ToArray()
	if req.Pool != nil {
		ids = nil
		for _, c := range req.Pool {
			ids = append(ids, c.Section)
		}
	}
	out := &sdk.Result{Examined: int(scope.GetCardinality()), Finished: true}
	for _, id := range ids {
		body, score := req.Corpus.Normalized(id, 0)+req.Corpus.Normalized(id, 1), 0.0
		for _, t := range req.Query.Terms {
			score += float64(strings.Count(body, cmp.Or(t.Text, "\x00")))
		}
		if score > 0 {
			out.Candidates = append(out.Candidates, sdk.Candidate{Section: id, Score: score, Signals: []string{"words"}})
		}
	}
	out.Candidates = sdk.Best(out.Candidates, req.Limit)
	return out, nil
}

// judged returns a result whose answer is the first passage, which the second contradicts.
func judged(req *sdk.Request) *sdk.Result {
	out := &sdk.Result{Finished: true, Answers: []sdk.Answer{}}
	var quotes []sdk.Quote
	for _, p := range req.Passages {
		if line, _, _ := strings.Cut(strings.TrimSpace(p.Text), "\n"); line != "" {
			quotes = append(quotes, sdk.Quote{Section: p.Section, Text: line})
		}
	}
	if len(quotes) > 1 {
		out.Answers = []sdk.Answer{{Quote: quotes[0], Probability: 0.5}}
		out.Tensions = []sdk.Tension{{A: quotes[0], B: quotes[1], Kind: sdk.TensionNumber, Probability: 0.5}}
	}
	return out
}

// sinner is a strategy that breaks a rule.
type sinner struct {
	plainest
	describe  func(*sdk.Description)
	before    func(ctx context.Context, req *sdk.Request) error
	after     func(req *sdk.Request, res *sdk.Result)
	configure func() error
	open      func(*snapshot.Snapshot) error
	opening   func(context.Context) error
	close     func() error
	gather    func(*sdk.GatherRequest, *sdk.Gathered)
}

func (s *sinner) Describe() sdk.Description {
	d := s.plainest.Describe()
	if s.describe != nil {
		s.describe(&d)
	}
	return d
}

func (s *sinner) Configure(context.Context, json.RawMessage) error {
	if s.configure != nil {
		return s.configure()
	}
	return nil
}

func (s *sinner) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	if s.opening != nil {
		return s.opening(ctx)
	}
	if s.open != nil {
		return s.open(corpus)
	}
	return nil
}

func (s *sinner) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	if s.before != nil {
		if err := s.before(ctx, req); err != nil {
			return nil, err
		}
	}
	res, err := s.plainest.Search(ctx, req)
	if err == nil && s.after != nil {
		s.after(req, res)
	}
	return res, err
}

func (s *sinner) Close() error {
	if s.close != nil {
		return s.close()
	}
	return nil
}

// gather adds a section for each of the files.
func gather(req *sdk.GatherRequest, found *sdk.Gathered, paths ...string) {
	for _, path := range paths[:min(req.Limit, len(paths))] {
		found.Sections = append(found.Sections, sdk.GatheredSection{
			Key: path, Fields: make([]string, 3),
			Section: snapshot.Section{Path: path, Node: snapshot.NodePreamble, Start: 1, End: 1, OwnEnd: 1, Body: 1},
		})
	}
	found.Total = len(paths)
}

// gathers returns a gatherer whose answers are modified by change.
func gathers(change func(req *sdk.GatherRequest, found *sdk.Gathered)) *sinner {
	return &sinner{plainest: plainest{sdk.StageGather}, gather: change}
}

// Gather implements [sdk.Gatherer].
func (s *sinner) Gather(_ context.Context, req *sdk.GatherRequest) (*sdk.Gathered, error) {
	if s.gather == nil {
		return nil, errSin // it may refuse
	}
	found := &sdk.Gathered{}
	s.gather(req, found)
	return found, nil
}

var errSin = errors.New("a sin")

// first returns a strategy with a modified first candidate.
func first(change func(*sdk.Candidate)) *sinner {
	return &sinner{after: func(_ *sdk.Request, res *sdk.Result) {
		if len(res.Candidates) > 0 {
			change(&res.Candidates[0])
		}
	}}
}

// misjudges returns a judge with modified results.
func misjudges(change func(*sdk.Result)) *sinner {
	return &sinner{plainest: plainest{sdk.StageJudge}, after: func(_ *sdk.Request, res *sdk.Result) {
		if len(res.Tensions) > 0 {
			change(res)
		}
	}}
}

// shouts returns a strategy that panics at some requests.
func shouts(at func(*sdk.Request) bool) *sinner {
	return &sinner{before: func(_ context.Context, req *sdk.Request) error {
		if at(req) {
			panic("a sin")
		}
		return nil
	}}
}

// deaf returns a strategy that continues a search of the larger corpus for as long as on takes.
func deaf(on func(ctx context.Context)) *sinner {
	return &sinner{before: func(ctx context.Context, req *sdk.Request) error {
		if req.Corpus.Bound() > 1000 {
			on(ctx)
		}
		return nil
	}}
}

// sin is a way to break a rule.
type sin struct {
	rule, how string
	make      func() *sinner
	told      string // part of the failure's text
}

// sins returns at least one sin per rule.
func sins() []sin {
	var calls atomic.Int64
	const long = 4 * maxOverrun
	return []sin{
		{"description", "no version", func() *sinner { return &sinner{describe: func(d *sdk.Description) { d.Version = "" }} }, "version is empty"},
		{"description", "no signals", func() *sinner {
			return &sinner{
				describe: func(d *sdk.Description) { d.Signals = nil },
				after: func(_ *sdk.Request, res *sdk.Result) {
					for i := range res.Candidates {
						res.Candidates[i].Signals = nil
					}
				},
			}
		}, "no signals"},
		{"description", "no weight", func() *sinner { return &sinner{describe: func(d *sdk.Description) { d.Weight = 0 }} }, "the weight is 0"},
		{"description", "a judge of no weight", func() *sinner {
			return &sinner{plainest: plainest{sdk.StageJudge}, describe: func(d *sdk.Description) { d.Weight = 0 }}
		}, "the weight is 0"},
		{"description", "a name in capitals", func() *sinner { return &sinner{describe: func(d *sdk.Description) { d.Name = "Sinner" }} }, `"Sinner"`},
		{"description", "an unknown corpus", func() *sinner {
			return &sinner{describe: func(d *sdk.Description) { d.Corpora = []snapshot.Kind{"manual", "news"} }}
		}, `"news"`},
		{"description", "another weight each time", func() *sinner {
			return &sinner{describe: func(d *sdk.Description) { d.Weight = float64(calls.Add(1)) }}
		}, "at first it said"},
		{"gathers", "more shards than there are", func() *sinner {
			return gathers(func(_ *sdk.GatherRequest, found *sdk.Gathered) { found.Answered = 1 })
		}, "shards"},
		{"gathers", "too many sections", func() *sinner {
			return gathers(func(req *sdk.GatherRequest, found *sdk.Gathered) {
				found.Sections = make([]sdk.GatheredSection, req.Limit+1)
			})
		}, "at most the requested number"},
		{"gathers", "a filter ignored", func() *sinner {
			return gathers(func(req *sdk.GatherRequest, found *sdk.Gathered) { gather(req, found, "a", "b") })
		}, "a gathered section passes the filter"},
		{"gathers", "a file lost", func() *sinner {
			return gathers(func(req *sdk.GatherRequest, found *sdk.Gathered) {
				if req.Filter.Path == "" {
					gather(req, found, "a")
				}
			})
		}, `no sections of "a"`},
		{"gathers", "a cursor ignored", func() *sinner {
			return gathers(func(req *sdk.GatherRequest, found *sdk.Gathered) { gather(req, found, "a"); found.Cursor = "1" })
		}, "behind the cursor"},
		{"gathers", "a panic", func() *sinner {
			return gathers(func(*sdk.GatherRequest, *sdk.Gathered) { panic("a sin") })
		}, "it panics"},
		{"gathers", "candidates of a search", func() *sinner {
			return &sinner{plainest: plainest{sdk.StageGather}, after: func(req *sdk.Request, res *sdk.Result) {
				if !req.Sections().IsEmpty() {
					res.Candidates = []sdk.Candidate{{Section: req.Sections().Minimum()}}
				}
			}}
		}, "proposes no sections"},
		{"config", "no schema", func() *sinner {
			return &sinner{describe: func(d *sdk.Description) { d.ConfigSchema = json.RawMessage(`{"type":7}`) }}
		}, "the schema cannot be used"},
		{"config", "refuses what fits", func() *sinner { return &sinner{configure: func() error { return errSin }} }, "is refused: a sin"},
		{"answers", "knows no Japanese", func() *sinner {
			return &sinner{before: func(_ context.Context, req *sdk.Request) error {
				if strings.Contains(req.Query.Raw, "の") {
					return errSin
				}
				return nil
			}}
		}, "a Japanese query in everything, limit 1000: a sin"},
		{"scores", "NaN", func() *sinner { return first(func(c *sdk.Candidate) { c.Score = math.NaN() }) }, "NaN"},
		{"scores", "infinite", func() *sinner { return first(func(c *sdk.Candidate) { c.Score = math.Inf(1) }) }, "+Inf"},
		{"scores", "coverage of 2", func() *sinner { return first(func(c *sdk.Candidate) { c.Coverage = 2 }) }, "coverage"},
		{"sections", "an id that there is not", func() *sinner { return first(func(c *sdk.Candidate) { c.Section = 1 << 20 }) }, "1048576"},
		{"sections", "looks beyond the scope", func() *sinner {
			return &sinner{
				before: func(_ context.Context, req *sdk.Request) error { req.Scope = nil; return nil },
				after:  func(_ *sdk.Request, res *sdk.Result) { res.Examined = 0 },
			}
		}, "scope"},
		{"unique", "one twice", func() *sinner {
			return &sinner{after: func(req *sdk.Request, res *sdk.Result) {
				if n := len(res.Candidates); n > 0 && n < req.Limit {
					res.Candidates = append(res.Candidates, res.Candidates[n-1])
				}
			}}
		}, "each section once"},
		{"limit", "a flood", func() *sinner {
			return &sinner{before: func(_ context.Context, req *sdk.Request) error { req.Limit = 1 << 20; return nil }}
		}, "of 1"},
		{"signals", "an undeclared one", func() *sinner { return first(func(c *sdk.Candidate) { c.Signals = []string{"sin"} }) }, `"sin"`},
		{"quotes", "words of its own", func() *sinner {
			return misjudges(func(res *sdk.Result) { res.Answers[0].Text = "as far as I know" })
		}, "as far as I know"},
		{"quotes", "words of another section", func() *sinner {
			return misjudges(func(res *sdk.Result) { res.Answers[0].Section = 1 << 20 })
		}, "1048576"},
		{"quotes", "nothing", func() *sinner { return misjudges(func(res *sdk.Result) { res.Tensions[0].B.Text = " " }) }, "quotes"},
		{"quotes", "a section against itself", func() *sinner {
			return misjudges(func(res *sdk.Result) { res.Tensions[0].B = res.Tensions[0].A })
		}, "both of section"},
		{"quotes", "a kind of its own", func() *sinner { return misjudges(func(res *sdk.Result) { res.Tensions[0].Kind = "taste" }) }, "taste"},
		{"quotes", "more than sure", func() *sinner { return misjudges(func(res *sdk.Result) { res.Answers[0].Probability = 2 }) }, "probability 2"},
		{"quotes", "a flood", func() *sinner {
			return misjudges(func(res *sdk.Result) { res.Answers = slices.Repeat(res.Answers, 1000) })
		}, "a few answers"},
		{"quotes", "proposes sections", func() *sinner {
			return misjudges(func(res *sdk.Result) {
				res.Candidates = []sdk.Candidate{{Section: res.Answers[0].Section, Signals: []string{"words"}}}
			})
		}, "a judge proposes no sections"},
		{"quotes", "judges though it retrieves", func() *sinner {
			return &sinner{after: func(_ *sdk.Request, res *sdk.Result) { res.Answers = []sdk.Answer{} }}
		}, "nobody else judges"},
		{"deterministic", "a judge that wavers", func() *sinner {
			return misjudges(func(res *sdk.Result) { res.Answers[0].Probability = 1 / float64(1+calls.Add(1)) })
		}, "the answers or the tensions differ"},
		{"extent", "examined too much", func() *sinner { return &sinner{after: func(_ *sdk.Request, res *sdk.Result) { res.Examined++ }} }, "examined"},
		{"extent", "a warning of two lines", func() *sinner {
			return &sinner{after: func(_ *sdk.Request, res *sdk.Result) { res.Warnings = []string{"a\nb"} }}
		}, "warnings"},
		{"order", "worst first", func() *sinner {
			return &sinner{after: func(_ *sdk.Request, res *sdk.Result) { slices.Reverse(res.Candidates) }}
		}, "comes after"},
		{"deterministic", "a score that grows", func() *sinner {
			return first(func(c *sdk.Candidate) { c.Score += float64(calls.Add(1)) })
		}, "asked again"},
		{"deterministic", "another score per process", func() *sinner {
			more := float64(calls.Add(1))
			return first(func(c *sdk.Candidate) { c.Score += more })
		}, "a new process"},
		{"queries", "panics at nothing", func() *sinner {
			return shouts(func(req *sdk.Request) bool { return req.Query.Raw == "" })
		}, "an empty query: it panics: a sin at "},
		{"queries", "is spoilt by nothing", func() *sinner {
			spoilt := false
			return &sinner{before: func(_ context.Context, req *sdk.Request) error {
				if spoilt = spoilt || req.Query.Raw == ""; spoilt {
					return errSin
				}
				return nil
			}}
		}, "but then"},
		{"queries", "an infinite score for control characters", func() *sinner {
			return &sinner{after: func(req *sdk.Request, res *sdk.Result) {
				if strings.Contains(req.Query.Raw, "\x07") {
					res.Candidates = []sdk.Candidate{{Section: req.Corpus.Live().Minimum(), Score: math.Inf(1)}}
				}
			}}
		}, "control characters"},
		{"panic", "panics at a new intent", func() *sinner {
			return shouts(func(req *sdk.Request) bool { return req.Query.Intent == "new" })
		}, "a new intent: it panics"},
		{"corpora", "panics where there is nothing", func() *sinner {
			return shouts(func(req *sdk.Request) bool { return req.Corpus.Bound() == 0 })
		}, "without sections"},
		{"corpora", "does not open one that it names", func() *sinner {
			return &sinner{describe: func(d *sdk.Description) { d.Corpora = []snapshot.Kind{"manual", "vault"} }, open: func(corpus *snapshot.Snapshot) error {
				if corpus.Kind() == snapshot.KindVault {
					return errSin
				}
				return nil
			}}
		}, "open a vault corpus"},
		{"large", "panics at much", func() *sinner {
			return shouts(func(req *sdk.Request) bool { return len(req.Query.Raw) > 4<<20 })
		}, "5 MiB"},
		{"concurrent", "mixes up who asks", func() *sinner {
			var last atomic.Pointer[sdk.Query]
			return &sinner{before: func(_ context.Context, req *sdk.Request) error {
				asked := req.Query
				last.Store(&asked)
				time.Sleep(time.Millisecond)
				req.Query = *last.Load()
				return nil
			}}
		}, "candidate"},
		{"lives", "does not close", func() *sinner {
			searched := false
			return &sinner{
				before: func(context.Context, *sdk.Request) error { searched = true; return nil },
				close: func() error {
					if searched {
						return errSin
					}
					return nil
				},
			}
		}, "close: a sin"},
		{"snapshots", "remembers by the query", func() *sinner {
			remembered := map[string][]sdk.Candidate{}
			return &sinner{after: func(req *sdk.Request, res *sdk.Result) {
				key := fmt.Sprint(req.Query.Raw, req.Limit, req.Corpus.Bound(), req.Scope)
				if _, ok := remembered[key]; !ok {
					remembered[key] = res.Candidates
				}
				res.Candidates = remembered[key]
			}}
		}, "in the new snapshot"},
		{"cancel", "deaf", func() *sinner {
			return deaf(func(ctx context.Context) {
				if _, limited := ctx.Deadline(); !limited {
					time.Sleep(long)
				}
			})
		}, "it went on for"},
		{"deadline", "deaf", func() *sinner {
			return deaf(func(ctx context.Context) {
				if _, limited := ctx.Deadline(); limited {
					time.Sleep(long)
				}
			})
		}, "to answer it went on for"},
		{"queries", "invalid UTF-8", func() *sinner {
			return shouts(func(req *sdk.Request) bool {
				return !utf8.ValidString(req.Query.Raw) || strings.ContainsRune(req.Query.Raw, utf8.RuneError)
			})
		}, "invalid UTF-8"},
	}
}

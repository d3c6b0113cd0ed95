package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/bench"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/conformance"
)

// The rules of a process.
var (
	ruleStart = conformance.Rule{ID: "start",
		Text: fmt.Sprintf("It starts, and in less than %v.", host.DefaultCallTimeout),
		Why:  "Queries do not wait longer for it, and are answered without it until it runs."}
	ruleStdout = conformance.Rule{ID: "stdout",
		Text: "Nothing is printed on stdout but the line of the handshake.",
		Why: "The line is looked for there; the sdk sends stray prints to the log, but what is printed before it, " +
			"or by other libraries, may be taken for the line."}
	ruleHost = conformance.Rule{ID: "host",
		Text: "When the host asks it to or dies, the process ends.",
		Why: "It ends with its standard input, which the host holds open; otherwise every crash of a host leaves " +
			"processes behind."}
)

// endTime is how long a process may take to end after its host.
const endTime = 5 * time.Second

// checkProcess checks the rules of a process. closed is how the last one ended.
func (e *examination) checkProcess(ctx context.Context, closed error) {
	e.report.add(ruleStart, e.checkStart(), 0)
	began := time.Now()
	abandoned := errors.Join(closed, e.abandon(ctx))
	took := time.Since(began)
	e.report.add(ruleStdout, e.checkStdout(), 0)
	e.report.add(ruleHost, abandoned, took)
}

func (e *examination) checkStart() error {
	slices.Sort(e.starts)
	e.report.Figures.StartMS = milliseconds(e.starts[len(e.starts)/2])
	if least := e.starts[0]; least > host.DefaultCallTimeout {
		return fmt.Errorf("the fastest start took %v", least.Round(time.Millisecond))
	}
	return nil
}

func (e *examination) checkStdout() error {
	if n := e.report.Figures.ExtraStdout; n > 0 {
		return fmt.Errorf("it printed %d bytes more", n)
	}
	return nil
}

// abandon starts a process and leaves it.
func (e *examination) abandon(ctx context.Context) error {
	w, err := e.process(ctx)
	if err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	if w.Abandon(waiting) != nil {
		return errors.Join(fmt.Errorf("it still ran %v later", endTime), w.Close())
	}
	return w.Close()
}

// searches is how many are measured.
const searches = 100

// measure takes the figures of a process that has answered much already.
func (e *examination) measure(ctx context.Context, exam *conformance.Suite) {
	e.report.Figures.OpenMS = milliseconds(exam.Opening())
	if exam.Opening() > host.DefaultCallTimeout {
		e.report.Remarks = append(e.report.Remarks, fmt.Sprintf("prepares for %v on a small corpus: "+
			"a search waits %v, and a single sagasu find goes without it",
			exam.Opening().Round(time.Second/10), host.DefaultCallTimeout))
	}
	times := exam.Time(ctx, searches)
	if len(times) > 0 {
		slices.Sort(times)
		e.report.Figures.SearchP50MS = milliseconds(times[len(times)/2])
		e.report.Figures.SearchP95MS = milliseconds(times[len(times)*95/100])
	}
	if w, ok := exam.Running().(*watched); ok {
		e.report.Figures.MemoryBytes, _ = bench.PrivateDirty(w.PID()) // 0 where the system does not report it
	}
}

// Report is what was found.
type Report struct {
	Path    string    `json:"path"`
	SHA256  string    `json:"sha256"`
	Name    string    `json:"name"` // "" where it does not start, like the next two
	Version string    `json:"version"`
	Stage   sdk.Stage `json:"stage"`
	SDK     string    `json:"sdk"` // that it was built with
	// Signals are those that it declares, Admitting those that are to make sections candidates.
	Signals   []string `json:"signals"`
	Admitting []string `json:"admitting"`
	// Findings are one per rule that was checked.
	Findings []Finding `json:"rules"`
	// Broken counts the rules that are broken.
	Broken  int     `json:"broken"`
	Figures Figures `json:"figures"`
	Sandbox string  `json:"sandbox"` // what held it
	// Remarks are sentences on what breaks no rule.
	Remarks []string `json:"remarks"`
}

// Finding is a rule and how it is broken.
type Finding struct {
	ID     string  `json:"id"`
	Text   string  `json:"text"`
	Why    string  `json:"why"`
	Broken string  `json:"broken"` // how, "" for kept
	TookMS float64 `json:"took_ms"`
}

// Figures are measures that break no rule by themselves; 0 for what was not measured.
type Figures struct {
	StartMS     float64 `json:"start_ms"`      // median, until the handshake
	OpenMS      float64 `json:"open_ms"`       // of a small corpus
	SearchP50MS float64 `json:"search_p50_ms"` // of a small corpus, the border included
	SearchP95MS float64 `json:"search_p95_ms"`
	MemoryBytes int64   `json:"memory_bytes"` // of its own, after the examination of its answers
	ExtraStdout int64   `json:"stray_bytes"`  // on stdout beside the handshake
}

// add records what became of the check of a rule.
func (r *Report) add(rule conformance.Rule, err error, took time.Duration) {
	f := Finding{ID: rule.ID, Text: rule.Text, Why: rule.Why, TookMS: milliseconds(took)}
	if err != nil {
		f.Broken = err.Error()
		r.Broken++
	}
	r.Findings = append(r.Findings, f)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

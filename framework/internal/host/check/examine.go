package check

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/conformance"
)

// entryName is the name of the entry; the strategy may call itself anything.
const entryName = "specimen"

// Run examines the executable of entry, whose name and hash do not matter, under the
// rights that the entry grants. options need only what the host needs to start: its
// wrapper and its logger. The error is for what could not be examined at all; an
// executable that does not start is a broken rule. samples are documents for a converter, by name. progress hears of
// each rule before it is checked.
func Run(
	ctx context.Context, options host.Options, entry host.Entry, samples map[string][]byte,
	progress func(rule string, n, total int),
) (*Report, error) {
	path, sum, err := pin(entry.Path)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sagasu-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	entry.Name, entry.Path, entry.SHA256 = entryName, path, sum
	options.Entries = []host.Entry{entry}
	options.IndexDir, options.StateDir = filepath.Join(dir, "index"), filepath.Join(dir, "state")
	h, err := host.New(options)
	if err != nil {
		return nil, toolset.Errorf(toolset.InvalidParameter, "%v", err)
	}
	defer h.Close()
	e := &examination{host: h, progress: progress, report: &Report{Path: path, SHA256: sum, Findings: []Finding{},
		Remarks: []string{}, Sandbox: host.Confinement().String()}}
	converter, err := conformance.NewConverterSuite(ctx, conformance.ConverterSubject{
		Start:   func(ctx context.Context) (conformance.Converter, error) { return e.process(ctx) },
		Samples: samples,
	})
	if err == nil { // else the rules of strategies tell what does not start
		e.convert(ctx, converter)
		return e.report, ctx.Err()
	}
	start := func(ctx context.Context) (conformance.Strategy, error) { return e.process(ctx) }
	if err := e.run(ctx, conformance.Subject{Start: start, Dir: options.IndexDir, Config: entry.Config}); err != nil {
		return nil, err
	}
	return e.report, ctx.Err()
}

// pin returns the absolute path of an executable and its SHA-256.
func pin(path string) (abs, sum string, err error) {
	if abs, err = filepath.Abs(path); err != nil {
		return "", "", err
	}
	info, err := os.Stat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", toolset.Errorf(toolset.NotFound, "there is no executable %s", path)
	}
	if err == nil && !trust.Executable(info) {
		err = toolset.Errorf(toolset.InvalidParameter,
			"%s is no executable file: build it, and check what was built", path)
	}
	if err != nil {
		return "", "", err
	}
	sum, err = trust.Hash(abs)
	return abs, sum, err
}

// examination is one run.
type examination struct {
	host     *host.Host
	report   *Report
	progress func(rule string, n, total int)
	starts   []time.Duration
}

// process starts the executable anew.
func (e *examination) process(ctx context.Context) (*watched, error) {
	s, err := e.host.StartTrial(ctx, entryName)
	if err != nil {
		return nil, err
	}
	e.starts = append(e.starts, s.Took)
	return &watched{s, e.report}, nil
}

// watched is a trial process whose output on stdout is counted when it closes.
type watched struct {
	*host.Trial
	report *Report
}

// Close implements [conformance.Strategy].
func (w *watched) Close() error {
	err := w.Trial.Close()
	w.report.Figures.ExtraStdout = max(w.report.Figures.ExtraStdout, w.ExtraStdout())
	return err
}

// run checks the rules one after the other.
func (e *examination) run(ctx context.Context, subject conformance.Subject) error {
	began := time.Now()
	exam, err := conformance.New(ctx, subject)
	if err != nil {
		e.report.add(ruleStart, err, time.Since(began))
		return ctx.Err()
	}
	d := exam.Described()
	e.report.Name, e.report.Version, e.report.Stage, e.report.SDK = d.Name, d.Version, d.Stage, d.SDK
	e.report.Signals, e.report.Admitting = d.Signals, d.Admitting
	for i, rule := range conformance.Rules() {
		e.progress(rule.ID, i+1, len(conformance.Rules()))
		began := time.Now()
		e.report.add(rule, exam.Check(ctx, rule), time.Since(began))
		if ctx.Err() != nil || exam.Unanswered() {
			break
		}
	}
	if exam.Unanswered() {
		e.report.Remarks = append(e.report.Remarks, "the other rules were not examined: no query got a result")
	}
	if err := exam.Refusal(); err != nil {
		e.report.Remarks = append(e.report.Remarks, "gathers was not examined: every request was refused: "+err.Error())
	}
	if exam.AddsNothing() && (d.Stage == sdk.StageRetrieve || d.Stage == sdk.StageFill) {
		e.report.Remarks = append(e.report.Remarks, "adds no sections: its candidates carry none of the signals that "+
			"admit (Candidate.Signals)")
	}
	if !exam.Unanswered() {
		e.measure(ctx, exam)
	}
	e.checkProcess(ctx, exam.Close())
	return ctx.Err()
}

// convert checks the rules of converters one after the other.
func (e *examination) convert(ctx context.Context, exam *conformance.ConverterSuite) {
	d := exam.Described()
	e.report.Name, e.report.Version, e.report.Stage, e.report.SDK = d.Name, d.Version, host.StageConvert, d.SDK
	for i, rule := range conformance.ConverterRules() {
		e.progress(rule.ID, i+1, len(conformance.ConverterRules()))
		began := time.Now()
		e.report.add(rule.Rule, exam.Check(ctx, rule), time.Since(began))
		if ctx.Err() != nil {
			break
		}
	}
	e.checkProcess(ctx, exam.Close())
}

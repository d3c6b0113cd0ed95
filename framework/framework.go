package framework

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk"
)

// Error is a failure of a tool. Code is one of invalid_parameter, invalid_path, out_of_scope, not_found, forbidden,
// invalid_scope, conflict, needs_narrow_scope, not_available and internal; publications have others. Message is a
// sentence that says what to do next. Details is a map that names the parameter, what was given and what is expected.
type Error = toolset.Error

// Strategies are a program's compiled-in strategies, as [Serve] returns them.
type Strategies struct {
	entries app.Strategies
	served  bool
}

// Serve returns the strategies for [Open]. Call it first in main. In a process that was started to run one of the
// strategies, it serves that one, ends the process with its host and does not return.
func Serve(entries ...sdk.Entry) Strategies {
	if code, child := app.ServeChild(entries, os.Args[1:]); child {
		os.Exit(code)
	}
	return Strategies{entries, true}
}

// Options configure how a workspace is opened.
type Options struct {
	// Dir is the workspace; "" is the working directory.
	Dir string
	// Strategies come from [Serve]. They are searched in their order.
	Strategies Strategies
	// Settings override environment and configuration files, by name such as "MANUALS_ROOT"; sagasu help settings
	// lists them as flags. As there, paths are relative to the working directory, not to Dir.
	Settings map[string]string
	// Live watches files and caches searches, for a program that keeps running.
	Live bool
	// Logger receives the log; nil logs nothing.
	Logger hclog.Logger
	// Version is the program's version as MCP clients see it; "" means "dev".
	Version string
}

// Workspace is an open workspace. It is safe for concurrent use; of many calls at once, some wait for others.
type Workspace struct {
	app     *app.App
	close   func() error
	closing context.Context // done when Close is called
	calls   sync.RWMutex    // Close waits for those that hold it
	slots   chan struct{}   // limits the calls that work at once, since strategies that starve are ended
}

// Open opens a workspace. It indexes nothing and starts no process until they are needed. It fails if [Serve] was not
// called, since the program could not be started again as a strategy, or if the configuration is wrong. Close the
// workspace after use.
func Open(ctx context.Context, o Options) (*Workspace, error) {
	if !o.Strategies.served {
		return nil, errors.New("open a workspace: the strategies must come from framework.Serve, called first in main")
	}
	values := maps.Clone(o.Settings)
	if values == nil {
		values = map[string]string{}
	}
	if o.Dir != "" {
		values["WORKSPACE_ROOT"] = o.Dir
	}
	options := app.Options{
		Sources:    workspace.LoadOptions{Flags: workspace.Flags{Values: values}},
		Strategies: o.Strategies.entries, Version: cmp.Or(o.Version, "dev"),
	}
	if o.Logger != nil {
		options.Logger = func(*workspace.Workspace) hclog.Logger { return o.Logger }
	}
	if !o.Live {
		options.Progress = func(string) (func(index.Progress), func()) { return func(index.Progress) {}, func() {} }
	}
	a, err := app.Open(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("open a workspace: %w", err)
	}
	closing, end := context.WithCancel(context.Background())
	w := &Workspace{app: a, closing: closing, slots: make(chan struct{}, server.CallWorkers)}
	w.close = sync.OnceValue(func() error {
		end()
		w.calls.Lock()
		defer w.calls.Unlock()
		return a.Close()
	})
	return w, nil
}

// Close ends the calls under way, every process and the indexes. Later calls fail with the code not_available. Further
// calls of Close do nothing and return the result of the first.
func (w *Workspace) Close() error { return w.close() }

// begin returns the context of a call, which also ends when the workspace is closed, and what ends the call.
func (w *Workspace) begin(ctx context.Context) (call context.Context, end func(), err error) {
	w.calls.RLock()
	if w.closing.Err() != nil {
		w.calls.RUnlock()
		return nil, nil, toolset.Errorf(toolset.NotAvailable, "the workspace is closed; open it again")
	}
	call, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(w.closing, cancel)
	return call, func() {
		forget()
		cancel()
		w.calls.RUnlock()
	}, nil
}

// slot is begin for a call that waits until few others work.
func (w *Workspace) slot(ctx context.Context) (call context.Context, end func(), err error) {
	call, done, err := w.begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	select {
	case w.slots <- struct{}{}:
		return call, func() { <-w.slots; done() }, nil
	case <-call.Done():
		done()
		return nil, nil, toolset.Explain(call.Err())
	}
}

// Query is a search.
type Query struct {
	// Text is what to search for, in plain words. A section with a phrase in quotes always
	// matches; a leading - excludes a word or such a phrase.
	Text string
	// Manual is searched first; "" searches all.
	Manual string
	// Limit is the maximum number of hits, 1 to 1,000; 0 means 10.
	Limit int
	// Passages is the maximum number of passages, 0 to 20.
	Passages int
	// MaxTokens limits the reply that an agent would get with the passages, in estimated tokens, 100 to 50,000; 0 means
	// 1,200.
	MaxTokens int
}

// Found is the answer to a search.
type Found struct {
	// TraceID names the search in calls of manual_hits.
	TraceID string
	// Status is ready, needs_followup or blocked.
	Status string
	// Hits are the best sections, best first.
	Hits []Hit
	// Passages are the relevant texts of the best sections, best first.
	Passages []Passage
	// Warnings list what did not take part in the search.
	Warnings []string
}

// Ref points to a section.
type Ref struct {
	Manual, Path string
	// Line is the section's first line, from 1; 0 is the first section of the file.
	Line int
}

// Hit is a section that was found.
type Hit struct {
	Ref
	Title   string
	Score   float64 // comparable within one search only
	Snippet string  // the text around what matched, at most 200 characters
}

// Passage is text of a section.
type Passage struct {
	Ref               // of the section
	Lines      string // the first and last that the text is taken from, such as "12-18"
	Breadcrumb string // title and headings over the section
	Text       string
}

const (
	defaultLimit = 10
	snippetChars = 200
)

// failed returns the failure of a call, and logs an unexpected one, as the server does with those of tools.
func (w *Workspace) failed(err error) *Error {
	e := toolset.Explain(err)
	if e.Code == toolset.Internal {
		w.app.Logger.Error("call", "code", e.Code, "cause", errors.Unwrap(e))
	}
	return e
}

// Find searches the manuals. A failure is an [*Error]. A strategy that fails is not an error: Found.Warnings names
// it.
func (w *Workspace) Find(ctx context.Context, q Query) (*Found, error) {
	ctx, end, err := w.slot(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	ctx = search.Keeping(ctx)
	m := app.Module[*manuals.Module](w.app)
	args := toolset.Defaults[manuals.FindArgs]()
	args.Query, args.ManualID, args.Passages = q.Text, corpus.ManualID(q.Manual), q.Passages
	args.MaxTokens = cmp.Or(q.MaxTokens, args.MaxTokens)
	args, err = toolset.Check(args)
	if err != nil {
		return nil, err
	}
	answer, err := m.Find(ctx, args)
	if err != nil {
		return nil, w.failed(err)
	}
	list := toolset.Defaults[manuals.HitsArgs]()
	list.TraceID, list.Kind, list.Limit = answer.TraceID, "candidates", cmp.Or(q.Limit, defaultLimit)
	if list, err = toolset.Check(list); err != nil {
		return nil, err
	}
	rows, err := m.Hits(ctx, list)
	if err != nil {
		return nil, w.failed(err)
	}
	snippets, err := m.Snippets(ctx, answer.TraceID, len(rows.Items), snippetChars)
	if err != nil {
		return nil, w.failed(err)
	}
	out := &Found{TraceID: answer.TraceID, Status: string(answer.Summary.IntegrationStatus), Warnings: answer.Warnings}
	for i, r := range rows.Items {
		ref := Ref{Manual: cmp.Or(r.Ref.ManualID, rows.ManualID), Path: r.Ref.Path, Line: r.Ref.StartLine}
		out.Hits = append(out.Hits, Hit{Ref: ref, Title: r.Ref.Title, Score: *r.Score, Snippet: snippets[i].Text})
	}
	sections := answer.Sections() // of the passages, in their order
	for i, p := range answer.Passages {
		ref := Ref{Manual: p.ManualID, Path: p.Path, Line: sections[i].StartLine}
		out.Passages = append(out.Passages, Passage{Ref: ref, Lines: p.Lines, Breadcrumb: p.Breadcrumb, Text: p.Text})
	}
	return out, nil
}

// Read returns the text of a section with the sections below it, or of a JSON file, up to 12,000 characters.
func (w *Workspace) Read(ctx context.Context, at Ref) (string, error) {
	ctx, end, err := w.slot(ctx)
	if err != nil {
		return "", err
	}
	defer end()
	args := manuals.ReadArgs{Ref: &manuals.Ref{ManualID: corpus.ManualID(at.Manual), Path: rootfs.Path(at.Path)}}
	if at.Line != 0 {
		args.Ref.StartLine = &at.Line
	}
	args, err = toolset.Check(args)
	if err != nil {
		return "", err
	}
	reading, err := app.Module[*manuals.Module](w.app).Read(ctx, args)
	if err != nil {
		return "", w.failed(err)
	}
	return reading.Text, nil
}

// Tools returns the names of the tools that Call accepts.
func (w *Workspace) Tools() (names []string) {
	for _, t := range w.app.Tools.Tools() {
		names = append(names, t.Name)
	}
	return names
}

// Call calls a tool as an MCP client does. arguments is anything that encodes to a JSON object, of UTF-8 text.
// A failure is an [*Error].
func (w *Workspace) Call(ctx context.Context, tool string, arguments any) (json.RawMessage, error) {
	// encoding/json puts other letters in the place of bytes that are not UTF-8, and a vault would keep these
	raw, err := jsonv2.Marshal(arguments, jsonv1.DefaultOptionsV1(), jsontext.AllowInvalidUTF8(false))
	if err != nil {
		return nil, toolset.Errorf(toolset.InvalidParameter, "the arguments cannot be encoded: %w", err)
	}
	ctx, end, err := w.slot(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	result, failed := w.app.Tools.Call(ctx, tool, raw, nil)
	if failed != nil {
		return nil, failed
	}
	return json.Marshal(result)
}

// ServeMCP serves one MCP client until in ends, ctx is done or the workspace is closed. A process serves only one
// client at a time.
func (w *Workspace) ServeMCP(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, end, err := w.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	return w.app.Tools.ServeStdio(ctx, in, out)
}

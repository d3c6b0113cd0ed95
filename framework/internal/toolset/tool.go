package toolset

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Tool is one tool: its description for clients and the function that answers its calls.
// [Define] fills Input, Output and Handle from the types of that function.
type Tool struct {
	Name, Title, Description string
	// Example is the argument object of a typical call.
	Example json.RawMessage
	Hints   Hints
	// Group is the name under which TOOLSETS switches the tool on.
	Group string
	// Off says why the tool is switched off whatever TOOLSETS is, "" where it is not.
	Off string
	// View, if not nil, is how a client may show a result to its user.
	View *View
	// Remembers is set where a call goes on from earlier ones of the same [Session].
	Remembers bool

	// Input and Output return the JSON Schemas of the arguments and of the result, errors included.
	// BriefInput and BriefOutput are what clients are sent of them, who pay for each word: without what
	// goes without saying, and without what lies inside the members of a result.
	Input, Output, BriefInput, BriefOutput func() json.RawMessage
	// Handle answers a call. Its result is a JSON object.
	Handle func(ctx context.Context, args *Arguments) (any, error)
	// MaxChars is how many characters a result may have by the bounds of the tool, for clients that cut long ones;
	// 0 where none is told. See [TextChars] and [TokenChars].
	MaxChars int
	// Always names members of the result that this tool always has, though their type does not
	// require them.
	Always []string
	// Recode, if not nil, returns a failure with the code that this tool's callers know.
	Recode func(*Error) *Error

	// Mend, if not nil, puts names that exist into a call that a failure gives as an example. Where there are none
	// it returns false, and no example is given.
	Mend func(ctx context.Context, call map[string]any) bool

	verbatim []string               // arguments whose texts go into files
	correct  func(map[string]any)   // see [Corrector]; or nil
	decode   func(*Arguments) error // reads the arguments as Handle does
}

// View is a document that shows the results of a tool, as an MCP App: without anything from elsewhere, in a frame
// of the client's, which hands it the results.
type View struct {
	URI, Title string // the URI begins with ui://
	HTML       string
}

// Corrector is implemented by arguments of which some exclude or replace each other, which their
// schema does not tell.
type Corrector interface {
	// Correct puts right such arguments of a call, which an error gives as an example.
	Correct(call map[string]any)
}

// Hints are the annotations of a tool. Those that apply are always sent, since clients take a missing
// one for the worst.
type Hints struct {
	ReadOnly, Destructive, Idempotent, OpenWorld bool
}

// Reading is the annotation of every tool that only reads local files.
var Reading = Hints{ReadOnly: true, Idempotent: true}

// Counter is implemented by results with figures for the log: names and values in turn.
type Counter interface {
	Counters() []any
}

// Define completes a tool whose arguments are read into a struct of type A, see [Decode],
// and whose result is a struct of type R or a pointer to one.
func Define[A, R any](t Tool, do func(context.Context, A) (R, error)) Tool {
	t.describe(reflect.TypeFor[A](), reflect.TypeFor[R]())
	t.decode = func(args *Arguments) error { _, err := Decode[A](args); return err }
	t.Handle = func(ctx context.Context, args *Arguments) (any, error) {
		a, err := Decode[A](args)
		if err != nil {
			return nil, err
		}
		return do(ctx, a)
	}
	return t
}

// describe fills in what the types of arguments and result say. It is apart from Define, of which each tool has its own
// in the binary.
func (t *Tool) describe(arguments, result reflect.Type) {
	own := *t
	t.Input = sync.OnceValue(func() json.RawMessage { return mustMarshal(InputSchema(arguments)) })
	t.BriefInput = sync.OnceValue(func() json.RawMessage { return mustMarshal(briefInput(arguments)) })
	output := sync.OnceValue(func() *jsonschema.Schema {
		s := OutputSchema(result)
		s.AnyOf[0].Required = append(s.AnyOf[0].Required, own.Always...)
		return s
	})
	t.Output = sync.OnceValue(func() json.RawMessage { return mustMarshal(output()) })
	t.BriefOutput = sync.OnceValue(func() json.RawMessage { return mustMarshal(briefOutput(output())) })
	t.verbatim = verbatim(arguments)
	if c, ok := reflect.Zero(arguments).Interface().(Corrector); ok {
		t.correct = c.Correct
	}
}

// Call answers a call with these arguments; raw may be empty. paths are those of the arguments, for
// the log. A failure that the arguments caused holds an example of a valid call; a panic of the tool
// is a failure with its stack.
func (t Tool) Call(ctx context.Context, raw json.RawMessage) (result any, paths []any, failed *Error) {
	args, bad := ParseArguments(raw)
	if bad != nil {
		return nil, nil, t.fail(ctx, bad, nil)
	}
	result, err := t.handle(ctx, args)
	if err != nil {
		return nil, args.Paths(), t.fail(ctx, Explain(err), args)
	}
	return result, args.Paths(), nil
}

// handle is Handle with a panic as an error.
func (t Tool) handle(ctx context.Context, args *Arguments) (result any, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = guard.Call(func() error { result, err = t.Handle(ctx, args); return err })
	return result, err
}

// maxMistakes is how many more mistakes in the arguments of a call are put right in an example.
const maxMistakes = 5

// fail completes a failure of a call with these arguments, nil for none.
func (t Tool) fail(ctx context.Context, err *Error, args *Arguments) *Error {
	if t.Recode != nil {
		err = t.Recode(err)
	}
	_, given := err.Details["example"] // which may be a call of another tool
	err = Corrected(err, t, args)
	for i := 0; i < maxMistakes && !given && err.Details["example"] != nil && t.decode != nil; i++ {
		raw, _ := json.Marshal(err.Details["example"])
		again, bad := ParseArguments(raw)
		if bad != nil {
			break
		}
		wrong := t.decode(again)
		if wrong == nil {
			break
		}
		err.With("example", Corrected(Explain(wrong), t, again).Details["example"])
	}
	if call, ok := err.Details["example"].(map[string]any); ok && t.Mend != nil && !t.Mend(ctx, call) {
		delete(err.Details, "example")
	}
	return err
}

func mustMarshal(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic("toolset: schema: " + err.Error()) // a schema is made of our own types, which tests marshal
	}
	return raw
}

// writes reports whether a parameter's text goes into a file of the caller's.
func (t Tool) writes(parameter string) bool {
	return t.Hints.Destructive && slices.Contains(t.verbatim, parameter)
}

// Toolset is one product: its tools, their prompts, resources and instructions.
type Toolset struct {
	Tools     []Tool
	Prompts   []Prompt
	Resources *Resources // nil for none
	// Instructions tell a client's model how the tools are used.
	Instructions string
	// Needs names the tool that must be switched on for Prompts and Instructions to be sent;
	// "" means any of the tools.
	Needs string
}

// Prompt is a text that a client offers its user, with arguments put in.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Variable
	// Text holds the names of arguments in braces, such as {{name}}, where they go. A line with an
	// optional one that is not given is left out.
	Text string
}

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

// Tool is one tool: its description for clients and the function that answers its calls. [Define] sets Input, Output
// and Handle from the types of that function.
type Tool struct {
	Name, Title, Description string
	// Example is the argument object of a typical call.
	Example json.RawMessage
	Hints   Hints
	// Group is the name under which TOOLSETS switches the tool on.
	Group string
	// Off is why the tool is switched off regardless of TOOLSETS, or "".
	Off string
	// View, if not nil, is how a client may show results to its user.
	View *View
	// Remembers is set if a call continues from earlier ones of the same [Session].
	Remembers bool

	// Input and Output return the JSON Schemas of the arguments and of the result, including errors. BriefInput and
	// BriefOutput are the parts that clients are sent, since they pay for each word: without the obvious, and without
	// the content of result members.
	Input, Output, BriefInput, BriefOutput func() json.RawMessage
	// Handle answers a call. Its result is a JSON object.
	Handle func(ctx context.Context, args *Arguments) (any, error)
	// MaxChars is the maximum number of characters of a result, for clients that cut long ones; 0 means unspecified.
	// See [TextChars] and [TokenChars].
	MaxChars int
	// Always lists members that results of this tool always have, though their type does not require them.
	Always []string
	// Recode, if not nil, returns an error with the code that this tool's callers know.
	Recode func(*Error) *Error

	// Mend, if not nil, puts existing names into the example call of an error. If there are none, it returns false, and
	// no example is given.
	Mend func(ctx context.Context, call map[string]any) bool

	verbatim []string               // arguments whose texts go into files
	correct  func(map[string]any)   // see [Corrector]; may be nil
	decode   func(*Arguments) error // reads the arguments as Handle does
}

// View is a document that shows the results of a tool, as an MCP App. It loads nothing from elsewhere, and runs in a
// frame of the client, which passes it the results.
type View struct {
	URI, Title string // the URI begins with ui://
	HTML       string
}

// Corrector is implemented by arguments that exclude or replace each other, which their schema does not express.
type Corrector interface {
	// Correct corrects such arguments in the example call of an error.
	Correct(call map[string]any)
}

// Hints are the annotations of a tool. Those that apply are always sent, since clients assume the worst for a missing
// one.
type Hints struct {
	ReadOnly, Destructive, Idempotent, OpenWorld bool
}

// Reading is the annotation of every tool that only reads local files.
var Reading = Hints{ReadOnly: true, Idempotent: true}

// Define completes a tool whose arguments are decoded into a struct of type A, see [Decode], and whose result is a
// struct of type R or a pointer to one.
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

// describe sets what follows from the types of arguments and result. It is separate from Define, which the compiler
// instantiates for each tool.
func (t *Tool) describe(arguments, result reflect.Type) {
	own := *t
	t.Input = sync.OnceValue(func() json.RawMessage { return mustMarshal(InputSchema(arguments)) })
	t.BriefInput = sync.OnceValue(func() json.RawMessage { return mustMarshal(briefInput(arguments)) })
	output := sync.OnceValue(func() *jsonschema.Schema {
		s := outputSchema(result)
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

// Call answers a call with these arguments; raw may be empty. paths are those in the arguments, for the log. An error
// that the arguments caused has an example of a valid call; a panic of the tool becomes an error with its stack.
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

// handle calls Handle and returns a panic as an error.
func (t Tool) handle(ctx context.Context, args *Arguments) (result any, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = guard.Call(func() error { result, err = t.Handle(ctx, args); return err })
	return result, err
}

// maxMistakes is the maximum number of further mistakes that are corrected in an example call.
const maxMistakes = 5

// fail completes the error of a call with these arguments, or nil.
func (t Tool) fail(ctx context.Context, err *Error, args *Arguments) *Error {
	if t.Recode != nil {
		err = t.Recode(err)
	}
	_, given := err.Details["example"] // it may be a call of another tool
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
		panic("toolset: schema: " + err.Error()) // schemas are made from our own types, which tests marshal
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
	Resources *Resources // may be nil
	// Instructions explain to a client's model how to use the tools.
	Instructions string
	// Needs names the tool that must be switched on for Prompts and Instructions to be sent;
	// "" means any of the tools.
	Needs string
}

// Prompt is a text that a client offers its user, with arguments put in.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Variable
	// Text contains the names of arguments in braces, such as {{name}}. A line with an optional argument that is
	// missing is left out.
	Text string
}

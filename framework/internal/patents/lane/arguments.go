package lane

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Call is embedded in the arguments of every tool: clients put one object around all of them.
type Call struct {
	_       struct{} `schema:"open"`
	TraceID string   `json:"trace_id" filled:"" maxLength:"200" doc:"Any id of the caller's; the answer repeats it."`
}

// Trace returns the caller's id of the call.
func (c Call) Trace() string { return c.TraceID }

// Traced is the part of an answer that repeats the caller's id of the call.
type Traced struct {
	TraceID string `json:"trace_id,omitempty"`
}

// Mark records the caller's id of the call.
func (t *Traced) Mark(id string) { t.TraceID = id }

// PrepareArguments implements [toolset.Preparer].
func (*Call) PrepareArguments(a *toolset.Arguments) { a.Unwrap("params", "request") }

// otherNames are other words for the texts of a publication.
var otherNames = map[string]string{
	"abstract": publication.Abst, "claims": publication.Claim, "description": publication.Desc,
}

// TextNames are names of the texts of a publication.
type TextNames []string

// ReadArgument implements [toolset.Reader].
func (t *TextNames) ReadArgument(a *toolset.Arguments, name string) {
	*t = a.Texts(name)
	for i, field := range *t {
		if own, ok := otherNames[field]; ok {
			(*t)[i] = own
		}
	}
}

// Chars are numbers of characters by the name of a text.
type Chars map[string]int

// ReadArgument implements [toolset.Reader].
func (c *Chars) ReadArgument(a *toolset.Arguments, name string) {
	*c = a.Ints(name, 0, toolset.Unbounded)
	rename(a, name, *c)
}

// Boosts are weights by the name of a text.
type Boosts map[string]float64

// ReadArgument implements [toolset.Reader].
func (b *Boosts) ReadArgument(a *toolset.Arguments, name string) {
	*b = a.Numbers(name)
	rename(a, name, *b)
}

// rename replaces other words for texts among the keys of an argument.
func rename[V comparable](a *toolset.Arguments, argument string, values map[string]V) {
	for other, name := range otherNames {
		v, given := values[other]
		if !given {
			continue
		}
		if own, both := values[name]; both && own != v {
			a.Fail(toolset.Invalid(a.FullName(argument+"."+other), v, "given once, as "+name))
		}
		delete(values, other)
		values[name] = v
	}
}

// Bytes is a number of bytes. Any integer is read; [Cutting] says which are too few.
type Bytes int

// ReadArgument implements [toolset.Reader].
func (b *Bytes) ReadArgument(a *toolset.Arguments, name string) {
	if n := a.Int(name, math.MinInt, math.MaxInt); n != nil {
		*b = Bytes(*n)
	}
}

// Filters are conditions as JSON, see [publication.ParseFilters].
type Filters json.RawMessage

// ReadArgument implements [toolset.Reader].
func (f *Filters) ReadArgument(a *toolset.Arguments, name string) { *f = Filters(a.Raw(name)) }

// JSONSchema implements [toolset.Schemer]. What a condition lacks is told by an error with a corrected call, so
// nothing is required.
func (Filters) JSONSchema() *jsonschema.Schema {
	text := func(doc string) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Description: doc} }
	return &jsonschema.Schema{
		Type: "array",
		Description: "Conditions on codes, dates and names: all with lop and must hold, none with not, and one " +
			"with or if there is any. prefix takes all codes below a code. An example: " +
			`{"lop": "and", "field": "fi", "op": "prefix", "value": "G06V10"}.`,
		Items: &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{
			"lop": text("and, or, not; required."),
			"field": text("fi, ft, ipc, cpc, country, date (of publication), filing_date, pubyear, applicant, " +
				"inventor, pub_id."),
			"op": text("in, not_in, =, !=, >, >=, <, <=, range, contains, prefix."),
			"value": {Description: "A value, or a list for in, not_in and range (two, null for an open side). " +
				"Dates as YYYY, YYYY-MM or YYYY-MM-DD."},
		}},
	}
}

// TargetProfile weighs codes: by kind and code, or by FI code alone.
type TargetProfile rankfusion.Profile

// ReadArgument implements [toolset.Reader].
func (p *TargetProfile) ReadArgument(a *toolset.Arguments, name string) {
	n, _ := a.Find(name)
	notNumber := func(m toolset.Member) bool { _, isNumber := m.Number(); return !isNumber }
	if len(n.Members) > 0 && !slices.ContainsFunc(n.Members, notNumber) {
		p.FI = a.Numbers(name)
		return
	}
	kinds, _ := a.Object(name)
	p.FI, p.FT, p.IPC, p.CPC = kinds.Numbers("fi"), kinds.Numbers("ft"), kinds.Numbers("ipc"), kinds.Numbers("cpc")
}

// Grid are the k of a frontier, ascending and each once.
type Grid []int

// maxGrid is how many k a frontier may have.
const maxGrid = 50

// ReadArgument implements [toolset.Reader].
func (g *Grid) ReadArgument(a *toolset.Arguments, name string) {
	n, given := a.Find(name)
	raw := a.Raw(name)
	wrong := func(k int) bool { return k < 1 || k > MaxTopK }
	var grid []int
	if !given || json.Unmarshal(raw, &grid) == nil && len(grid) > 0 && len(grid) <= maxGrid &&
		!slices.ContainsFunc(grid, wrong) {
		slices.Sort(grid)
		*g = slices.Compact(grid)
		return
	}
	a.Wrong(name, n, "a list of 1 to 50 integers from 1 to 100000")
}

// BlendRuns are runs to fuse: each an object, the handle that a search gave, or the id alone.
type BlendRuns []BlendRun

// BlendRun is one run to fuse.
type BlendRun struct {
	_      struct{} `schema:"open"`
	RunID  string   `json:"run_id_lane" alias:"run_id" required:"the run_id of a search" filled:"" doc:"The run_id of a search."`
	Lane   string   `json:"lane" filled:""` // "" for that of the run
	Weight float64  `json:"weight" min:"0" default:"1"`
}

// ReadArgument implements [toolset.Reader].
func (r *BlendRuns) ReadArgument(a *toolset.Arguments, name string) {
	const expected = "a list of runs, each with run_id_lane and, if wanted, lane and weight"
	for _, e := range a.RequiredElements(name, expected) {
		run := BlendRun{RunID: e.Text, Weight: 1}
		if e.Object != nil {
			run, _ = toolset.Decode[BlendRun](e.Object) // its problems are those of a
			ignoreHandle(e.Object)
		}
		*r = append(*r, run)
	}
}

// ignoreHandle takes the other members of a [Handle].
func ignoreHandle(a *toolset.Arguments) {
	a.Ignore("lane_name", "a string", '"')
	a.Ignore("hit_count", "an integer", '0')
	a.Ignore("top_k", "an integer", '0')
	a.Ignore("truncated", "a boolean", 't', 'f')
	a.Ignore("meta", "an object", '{')
	a.Ignore("status", "a string", '"')
	a.Ignore("warnings", "a list", '[')
}

// JSONSchema implements [toolset.Schemer].
func (BlendRuns) JSONSchema() *jsonschema.Schema {
	run := toolset.InputSchema(reflect.TypeFor[BlendRun]())
	run.Type, run.Types = "", []string{"object", "string"} // a string is the id alone
	run.Required = nil                                     // run_id will do
	return &jsonschema.Schema{Type: "array", Items: run}
}

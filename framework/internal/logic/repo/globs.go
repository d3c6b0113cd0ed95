package repo

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Kind is the kind of evidence that a file provides.
type Kind uint8

// The kinds. The number is the priority of a source (docs/reference/tools/find_logic_evidence.md).
const (
	Code       Kind = 1
	ChangeSpec Kind = 2
	MainSpec   Kind = 3
)

// JSONSchema implements [toolset.Schemer].
func (Kind) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Enum: []any{int(Code), int(ChangeSpec), int(MainSpec)}}
}

// ReadArgument implements [toolset.Reader].
func (k *Kind) ReadArgument(a *toolset.Arguments, name string) {
	if n := a.Int(name, int(Code), int(MainSpec)); n != nil {
		*k = Kind(*n)
	}
}

// Globs name the files of each kind by patterns with **, relative to the root. Their tags make them settings of the
// user.
type Globs struct {
	Code    globs `setting:"LOGIC_CODE_GLOBS" guest:"" want:"a list of globs of paths below LOGIC_ROOT, such as backend/**" doc:"which files below LOGIC_ROOT are code"`
	Changes globs `setting:"LOGIC_CHANGE_GLOBS" guest:"" want:"a list of globs of paths below LOGIC_ROOT, such as backend/**" doc:"which are specifications of open changes"`
	Specs   globs `setting:"LOGIC_SPEC_GLOBS" guest:"" want:"a list of globs of paths below LOGIC_ROOT, such as backend/**" doc:"which are main specifications"`
}

type globs []string

// ParseSetting reads patterns separated by commas outside of braces. It fails on the first invalid pattern.
func (g *globs) ParseSetting(list string) error {
	*g = Split(list)
	return Globs{Code: *g}.Check()
}

// DefaultGlobs returns the globs that are used if none are set (docs/logic.md).
func DefaultGlobs() Globs {
	return Globs{
		Code:    []string{"backend/**"},
		Changes: []string{"openspec/changes/*/specs/**"},
		Specs:   []string{"openspec/specs/**"},
	}
}

// Check fails on the first invalid pattern.
func (g Globs) Check() error {
	for _, p := range g.All() {
		if p == "" || path.IsAbs(p) || strings.Contains("/"+p+"/", "/../") || !doublestar.ValidatePattern(p) {
			return fmt.Errorf("%q is no glob of paths below the root; write one such as backend/**", p)
		}
	}
	return nil
}

// All returns the patterns of all kinds.
func (g Globs) All() []string { return slices.Concat(g.Code, g.Changes, g.Specs) }

// layer is a kind with its globs, its name and its setting.
type layer struct {
	kind          Kind
	globs         []string
	what, setting string
}

// layers returns the kinds by priority.
func (g Globs) layers() []layer {
	return []layer{{ChangeSpec, g.Changes, "a specification", "LOGIC_CHANGE_GLOBS"},
		{MainSpec, g.Specs, "a specification", "LOGIC_SPEC_GLOBS"}, {Code, g.Code, "code", "LOGIC_CODE_GLOBS"}}
}

// kind returns the kind of a path, by priority, or 0 if no glob matches.
func (g Globs) kind(name string) Kind {
	for _, l := range g.layers() {
		for _, p := range l.globs {
			if doublestar.MatchUnvalidated(p, name) {
				return l.kind
			}
		}
	}
	return 0
}

// reaches reports whether a glob may match something below a folder.
func (g Globs) reaches(dir string) bool {
	for _, p := range g.All() {
		base, _ := doublestar.SplitPattern(p)
		if base == "." || base == dir || strings.HasPrefix(base, dir+"/") ||
			strings.HasPrefix(dir, base+"/") {
			return true
		}
	}
	return false
}

// Classify returns the kind of the file at a clean path. It returns 0 and a reason if the path's name leaves the file
// out, and 0 without a reason outside the globs.
func (g Globs) Classify(name string) (kind Kind, reason string) {
	if kind = g.kind(name); kind != 0 {
		reason = leftOut(name, kind)
	}
	if reason != "" {
		kind = 0
	}
	return kind, reason
}

// glob matches one glob of a list; its own commas are in braces.
var glob = lazyregexp.New(`(?:[^,{]|\{[^}]*\}?)+`)

// Split splits a list of globs at its commas, except those in braces.
func Split(list string) []string {
	all := []string{}
	for _, one := range glob().FindAllString(list, -1) {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	return all
}

package manuals

import (
	"context"
	"errors"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Read reads what a ref points at, at most MaxChars code points. A section
// asked for again in the same session goes on with the text after it; mem is
// the memory of the session, nil for none.
func (l *Library) Read(ctx context.Context, req ReadRequest, mem *Memory) (*Reading, error) {
	if err := notNegative(req); err != nil {
		return nil, err
	}
	d, err := l.open(ctx, req.Ref.ManualID, req.Ref.Path)
	if err != nil {
		return nil, ofRef(err)
	}
	scope, err := l.scope(d, req)
	if err != nil {
		return nil, err
	}
	if req.Ref.StartLine, err = d.settle(req.Ref, scope); err != nil {
		return nil, err
	}
	pointer, err := d.pointer(req.Ref)
	if err != nil {
		return nil, err
	}
	switch scope {
	case ScopeSnippet:
		l.used(d, 0)
		return d.snippet(req, pointer), nil
	case ScopeFile:
		l.used(d, 0)
		return d.file(pointer), nil
	}
	r, begin, err := d.section(scope, req.Ref.StartLine, mem)
	if err == nil {
		l.used(d, begin)
	}
	return r, err
}

func (l *Library) used(d *document, line int) {
	if l.options.Used != nil {
		l.options.Used(d.manual, d.path, line)
	}
}

func notNegative(req ReadRequest) error {
	for param, chars := range map[string]*int{"expand.before_chars": req.BeforeChars, "expand.after_chars": req.AfterChars} {
		if chars != nil && *chars < 0 {
			return toolset.Invalid(param, *chars, "an integer of at least 0")
		}
	}
	return nil
}

// scope settles the scope of a request and checks that it may be read.
func (l *Library) scope(d *document, req ReadRequest) (string, error) {
	json := corpus.IsJSON(d.path)
	switch req.Scope {
	case "":
		if json {
			return ScopeFile, nil
		}
		return ScopeSection, nil
	case ScopeSnippet:
		return req.Scope, nil
	case ScopeSection, ScopeSections:
		if json {
			return "", toolset.Errorf(toolset.InvalidScope, "a .json file has no sections; use scope file or snippet").
				With("parameter", "scope").With("got", req.Scope).With("expected", "file or snippet").
				With("example", example(d, ScopeFile))
		}
		return req.Scope, nil
	case ScopeFile:
		if json {
			return req.Scope, nil
		}
		return req.Scope, l.mayReadFile(d, req.AllowFile)
	}
	return "", toolset.Invalid("scope", req.Scope, "one of snippet, section, sections and file")
}

// mayReadFile asks for the server's permission and the caller's consent.
func (l *Library) mayReadFile(d *document, consent bool) error {
	switch {
	case !l.options.AllowFileScope:
		return toolset.Errorf(toolset.Forbidden, "scope file is switched off for .md files; read sections, or scan the file with manual_scan").
			With("parameter", "scope").With("got", ScopeFile).With("expected", "section, sections or snippet unless the server sets ALLOW_FILE_SCOPE=true").
			With("example", example(d, ScopeSection))
	case !consent:
		return toolset.Errorf(toolset.Forbidden, "scope file of a .md file needs allow_file=true").
			With("parameter", "allow_file").With("got", false).With("expected", true)
	}
	return nil
}

func example(d *document, scope string) map[string]any {
	return map[string]any{"ref": map[string]any{"manual_id": d.manual, "path": d.path}, "scope": scope}
}

// ofRef names the members of ref in a fault about a manual or a path.
func ofRef(err error) error {
	bad, ok := errors.AsType[*toolset.Error](err)
	if !ok {
		return err
	}
	switch bad.Details["parameter"] {
	case "manual_id", "path":
		bad.With("parameter", "ref."+bad.Details["parameter"].(string))
	}
	return bad
}

// reading makes an answer in mode read; more says that the scope goes on
// behind the piece.
func reading(scope string, p piece, more bool) *Reading {
	r := &Reading{
		Text: p.text, Truncated: more,
		Applied:      Applied{Scope: scope, MaxChars: MaxChars, Mode: ModeRead},
		AppliedRange: p.lines,
	}
	if scope == ScopeSection || scope == ScopeSections {
		r.Applied.MaxSections = new(MaxSections)
	}
	if r.Truncated {
		r.NextCursor = &p.next
	}
	return r
}

package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
)

// Entry is what a client is told of the server.
type Entry struct {
	Command string
	Args    []string
}

// members returns the entry as a client's file has it, in order.
func (e Entry) members(typed bool) []member {
	args := make([]any, len(e.Args))
	for i, arg := range e.Args {
		args[i] = arg
	}
	out := []member{{"command", e.Command}, {"args", args}}
	if typed {
		out = append([]member{{"type", "stdio"}}, out...)
	}
	return out
}

// member is a name with its value: a string or a list of strings.
type member struct {
	name  string
	value any
}

// table returns members as a decoder returns them.
func table(members []member) map[string]any {
	out := map[string]any{}
	for _, m := range members {
		out[m.name] = m.value
	}
	return out
}

// splice replaces one part of a text.
type splice struct {
	At                int // bytes
	Removed, Inserted string
}

func (s splice) apply(text string) string {
	return text[:s.At] + s.Inserted + text[s.At+len(s.Removed):]
}

func (s splice) inverse() splice { return splice{s.At, s.Inserted, s.Removed} }

// format reads and edits one kind of configuration file. A text has no byte order mark.
type format interface {
	// decode returns the values of a whole text; {} of a blank one. It fails with a [SyntaxError].
	decode(text string) (map[string]any, error)
	// set returns the edit that makes the entry in the table servers have these members.
	set(text, servers string, members []member) (splice, error)
	// unset returns the edit that removes the entry, and reports how many comments go with it.
	unset(text, servers string) (s splice, comments int, err error)
}

// SyntaxError is what makes a text no document of its format.
type SyntaxError struct {
	Line, Column int
	Reason       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// syntaxError places a reason at an offset of a text.
func syntaxError(text string, offset int, reason string) *SyntaxError {
	above := text[:min(max(offset, 0), len(text))]
	return &SyntaxError{1 + strings.Count(above, "\n"), len(above) - strings.LastIndexByte(above, '\n'), reason}
}

// entryOf returns the entry in a document, nil when there is none.
func entryOf(doc map[string]any, servers string) any {
	all, _ := doc[servers].(map[string]any)
	return all[Name]
}

// entryText returns the entry in a document as JSON with sorted names, "" when there is none.
func entryText(doc map[string]any, servers string) (string, error) {
	all, _ := doc[servers].(map[string]any)
	entry, ok := all[Name]
	if !ok {
		return "", nil
	}
	text, err := json.Marshal(entry)
	return string(text), err
}

// restOf returns a document without the entry, and without the table of servers where nothing else is in it.
func restOf(doc map[string]any, servers string) map[string]any {
	rest := maps.Clone(doc)
	all, ok := doc[servers].(map[string]any)
	if !ok {
		return rest
	}
	all = maps.Clone(all)
	delete(all, Name)
	rest[servers] = all
	if len(all) == 0 {
		delete(rest, servers)
	}
	return rest
}

// errUnsafe is an edit that would change more than the entry.
var errUnsafe = errors.New("the entry cannot be edited without touching what is around it; edit it by hand")

// checked applies an edit when its result has the same rest and an entry that is right.
func checked(f format, text, servers string, s splice, right func(doc map[string]any) bool) (string, error) {
	before, err := f.decode(text)
	if err != nil {
		return "", err
	}
	edited := s.apply(text)
	after, err := f.decode(edited)
	if err != nil || !reflect.DeepEqual(restOf(before, servers), restOf(after, servers)) ||
		!right(after) {
		return "", errUnsafe
	}
	return edited, nil
}

// merge returns the edit that adds or changes the entry, a zero one when it is there already.
func merge(f format, text, servers string, members []member) (splice, error) {
	doc, err := f.decode(text)
	if err != nil {
		return splice{}, err
	}
	want := table(members)
	has := func(doc map[string]any) bool { return holds(entryOf(doc, servers), want) }
	if has(doc) {
		return splice{}, nil
	}
	if all, given := doc[servers]; given {
		if _, ok := all.(map[string]any); !ok {
			return splice{}, fmt.Errorf("%s is no table of servers", servers)
		}
	}
	s, err := f.set(text, servers, members)
	if err != nil {
		return splice{}, err
	}
	_, err = checked(f, text, servers, s, has)
	return s, err
}

// holds reports whether an entry has all these members.
func holds(entry any, want map[string]any) bool {
	have, ok := entry.(map[string]any)
	for name, value := range want {
		ok = ok && reflect.DeepEqual(have[name], value)
	}
	return ok
}

// errChanged is an entry that somebody changed after it was written.
var errChanged = errors.New("the entry was changed after sagasu init wrote it, and stays; remove it by hand")

// revert takes one edit back: where it stands, wherever else its text stands once, or, when a new entry has another
// look now, by removing it. before and after are the entry around the edit, see [entryText].
func revert(f format, text, servers string, s splice, before, after string) (string, error) {
	doc, err := f.decode(text)
	if err != nil {
		return "", err
	}
	if now, err := entryText(doc, servers); err != nil || now != after {
		return "", errChanged
	}
	was := func(doc map[string]any) bool {
		now, err := entryText(doc, servers)
		return err == nil && now == before
	}
	back := s.inverse()
	if at := strings.Index(text, s.Inserted); at >= 0 && at == strings.LastIndex(text, s.Inserted) {
		back.At = at
	}
	if back.At <= len(text) && strings.HasPrefix(text[back.At:], s.Inserted) {
		if old, err := checked(f, text, servers, back, was); err == nil {
			return old, nil
		}
	}
	if before != "" {
		return "", errChanged
	}
	back, comments, err := f.unset(text, servers)
	if err != nil {
		return "", err
	}
	if comments > 0 {
		return "", errChanged
	}
	return checked(f, text, servers, back, was)
}

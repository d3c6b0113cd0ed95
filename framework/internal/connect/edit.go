package connect

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
)

// Entry is how a client starts the server.
type Entry struct {
	Command string
	Args    []string
}

// members returns the entry in the form of a client's file, in order.
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

// table returns members in the form of a decoded document.
func table(members []member) map[string]any {
	out := map[string]any{}
	for _, m := range members {
		out[m.name] = m.value
	}
	return out
}

// splice replaces one part of a text.
type splice struct {
	At                int // offset in bytes
	Removed, Inserted string
}

func (s splice) apply(text string) string {
	return text[:s.At] + s.Inserted + text[s.At+len(s.Removed):]
}

func (s splice) inverse() splice { return splice{s.At, s.Inserted, s.Removed} }

// format reads and edits one kind of configuration file. A text has no byte order mark.
type format interface {
	// decode returns the values of a whole text, or {} of a blank one. It fails with a [badSyntax].
	decode(text string) (map[string]any, error)
	// set returns the edit that gives the entry in the table servers these members.
	set(text, servers string, members []member) (splice, error)
	// unset returns the edit that removes the entry. comments is above 0 if comments are removed with it.
	unset(text, servers string) (s splice, comments int, err error)
}

// badSyntax reports that a text is not a document of its format.
type badSyntax struct {
	Line, Column int
	Reason       string
}

func (e *badSyntax) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// syntaxError returns an error at an offset of a text.
func syntaxError(text string, offset int, reason string) *badSyntax {
	above := text[:min(max(offset, 0), len(text))]
	return &badSyntax{1 + strings.Count(above, "\n"), len(above) - strings.LastIndexByte(above, '\n'), reason}
}

// entryOf returns the entry in a document, or nil if there is none.
func entryOf(doc map[string]any, servers string) any {
	all, _ := doc[servers].(map[string]any)
	return all[entryName]
}

// entryText returns the entry in a document as JSON with sorted names, or "" if there is none.
func entryText(doc map[string]any, servers string) (string, error) {
	all, _ := doc[servers].(map[string]any)
	entry, ok := all[entryName]
	if !ok {
		return "", nil
	}
	text, err := json.Marshal(entry)
	return string(text), err
}

// restOf returns a document without the entry, and without the table of servers if nothing else is in it.
func restOf(doc map[string]any, servers string) map[string]any {
	rest := maps.Clone(doc)
	all, ok := doc[servers].(map[string]any)
	if !ok {
		return rest
	}
	all = maps.Clone(all)
	delete(all, entryName)
	rest[servers] = all
	if len(all) == 0 {
		delete(rest, servers)
	}
	return rest
}

// errUnsafe reports an edit that would change more than the entry.
var errUnsafe = errors.New("the entry cannot be edited without touching what is around it; edit it by hand")

// checked applies an edit if it changes nothing but the entry, and right accepts the result.
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

// merge returns the edit that adds or changes the entry, or a zero edit if it is already there.
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

// errChanged reports an entry that somebody changed after it was written.
var errChanged = errors.New("the entry was changed after sagasu init wrote it, and stays; remove it by hand")

// revert reverts one edit: at its place, or wherever else its text occurs exactly once or, if a new entry now looks
// different, by removing the entry. before and after are the entry before and after the edit, see [entryText].
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
	if back.At >= 0 && back.At <= len(text) && strings.HasPrefix(text[back.At:], s.Inserted) {
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

package connect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/tailscale/hujson"
)

// jsonFormat is JSON, with comments and trailing commas if the client accepts them.
type jsonFormat struct{ comments bool }

// deepest is the maximum depth of a document, as in encoding/json.
const deepest = 10_000

// place matches the line and column in an error of hujson.
var place = lazyregexp.New(`^hujson: line (\d+), column (\d+): `)

// parse returns the syntax tree of a text. It adds a line feed, so that a comment may end the text.
func (f jsonFormat) parse(text string) (hujson.Value, error) {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > deepest {
			return hujson.Value{}, syntaxError(text, i, "it is nested too deeply")
		}
	}
	v, err := hujson.Parse([]byte(text + "\n"))
	if err != nil {
		bad := &badSyntax{Reason: place().ReplaceAllString(err.Error(), "")}
		if m := place().FindStringSubmatch(err.Error()); m != nil {
			bad.Line, _ = strconv.Atoi(m[1])
			bad.Column, _ = strconv.Atoi(m[2])
		}
		return v, bad
	}
	if _, ok := v.Value.(*hujson.Object); !ok {
		return v, syntaxError(text, v.StartOffset, "the document is no object")
	}
	return v, nil
}

func (f jsonFormat) decode(text string) (map[string]any, error) {
	doc := map[string]any{}
	if strings.TrimSpace(text) == "" {
		return doc, nil
	}
	standard := []byte(text)
	if f.comments {
		v, err := f.parse(text)
		if err != nil {
			return nil, err
		}
		v.Standardize()
		standard = v.Pack()
	}
	d := json.NewDecoder(bytes.NewReader(standard))
	d.UseNumber()
	err := d.Decode(&doc)
	if err == nil && len(bytes.TrimSpace(standard[d.InputOffset():])) > 0 {
		return nil, syntaxError(text, int(d.InputOffset()), "more follows the document")
	}
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
		return nil, syntaxError(text, int(bad.Offset)-1, bad.Error())
	}
	if err != nil || doc == nil {
		return nil, syntaxError(text, 0, "the document is no object")
	}
	return doc, nil
}

// find returns the index of an object's member, or -1 if there is none. It fails if there are several.
func find(text string, o *hujson.Object, name string) (int, error) {
	at := -1
	for i, m := range o.Members {
		if m.Name.Value.(hujson.Literal).String() != name {
			continue
		}
		if at >= 0 {
			return at, syntaxError(text, m.Name.StartOffset, fmt.Sprintf("%q stands here a second time", name))
		}
		at = i
	}
	return at, nil
}

func (f jsonFormat) set(text, servers string, members []member) (splice, error) {
	w := layoutOf(text)
	if strings.TrimSpace(text) == "" {
		entry := []member{{servers, []member{{entryName, members}}}}
		return splice{0, text, w.value(entry, "", false) + w.eol}, nil
	}
	v, err := f.parse(text)
	if err != nil {
		return splice{}, err
	}
	root := v.Value.(*hujson.Object)
	i, err := find(text, root, servers)
	if err != nil {
		return splice{}, err
	}
	if i < 0 {
		return w.insert(v, member{servers, []member{{entryName, members}}}), nil
	}
	all := root.Members[i].Value
	below, ok := all.Value.(*hujson.Object)
	if !ok {
		return splice{}, syntaxError(text, all.StartOffset, servers+" is no object")
	}
	if i, err = find(text, below, entryName); err != nil {
		return splice{}, err
	}
	if i < 0 {
		return w.insert(all, member{entryName, members}), nil
	}
	old := below.Members[i]
	removed := text[old.Value.StartOffset:old.Value.EndOffset]
	flat := !strings.Contains(text[all.StartOffset:old.Name.StartOffset], "\n")
	return splice{old.Value.StartOffset, removed, w.value(members, w.indentAt(old.Name.StartOffset), flat)}, nil
}

func (f jsonFormat) unset(text, servers string) (s splice, comments int, err error) {
	v, err := f.parse(text)
	if err != nil {
		return s, 0, err
	}
	all := v.Find("/" + servers)
	if all == nil {
		return s, 0, errUnsafe
	}
	below, ok := all.Value.(*hujson.Object)
	if !ok {
		return s, 0, errUnsafe
	}
	i, err := find(text, below, entryName)
	if err != nil || i < 0 {
		return s, 0, errors.Join(err, errUnsafe)
	}
	m := below.Members[i]
	for x := range m.Value.All() { // including what surrounds names, values and ends of objects
		comments += commentsIn(x.AfterExtra)
		if x != &m.Value {
			comments += commentsIn(x.BeforeExtra)
		}
		switch x := x.Value.(type) {
		case *hujson.Object:
			comments += commentsIn(x.AfterExtra)
		case *hujson.Array:
			comments += commentsIn(x.AfterExtra)
		}
	}
	comments += commentsIn(m.Value.BeforeExtra) + commentsIn(m.Name.AfterExtra)
	from, to, kept := m.Name.StartOffset, m.Value.EndOffset, ""
	last := i == len(below.Members)-1
	if !last || m.Value.AfterExtra != nil {
		to += len(m.Value.AfterExtra) + len(",") // its own comma
	} else if i > 0 {
		from = below.Members[i-1].Value.EndOffset // the comma before it, and what is between them
		kept = text[from+len(",") : m.Name.StartOffset]
	}
	if kept == "" {
		for from > 0 && strings.IndexByte(" \t", text[from-1]) >= 0 {
			from--
		}
		if from > 0 && text[from-1] == '\n' {
			from--
			if from > 0 && text[from-1] == '\r' {
				from--
			}
		}
	}
	return splice{from, text[from:to], strings.TrimRight(kept, " \t\r\n")}, comments, nil
}

// commentsIn returns the number of bytes of comments between values.
func commentsIn(extra hujson.Extra) int { return len(bytes.TrimSpace(extra)) }

// layout is the style of a text.
type layout struct {
	text string
	eol  string
	unit string // of indentation
}

// firstIndent matches the white space before the first name that begins an indented line.
var firstIndent = lazyregexp.New(`\n([ \t]+)"`)

func layoutOf(text string) layout {
	w := layout{text, "\n", "  "}
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		w.eol = "\r\n"
	}
	if m := firstIndent().FindStringSubmatch(text); m != nil {
		w.unit = m[1]
	}
	return w
}

// indentAt returns the indentation of the line at an offset.
func (w layout) indentAt(offset int) string {
	line := w.text[strings.LastIndexByte(w.text[:offset], '\n')+1 : offset]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// insert returns the edit that adds a member at the end of an object.
func (w layout) insert(v hujson.Value, m member) splice {
	o := v.Value.(*hujson.Object)
	if len(o.Members) == 0 {
		outer := w.indentAt(v.StartOffset)
		whole := strings.TrimSpace(w.text)
		if !strings.Contains(whole, "\n") && whole != w.text[v.StartOffset:v.EndOffset] {
			return splice{v.StartOffset + 1, "", w.named(m, "", true)}
		}
		inserted := w.eol + outer + w.unit + w.named(m, outer+w.unit, false)
		if !bytes.Contains(o.AfterExtra, []byte("\n")) {
			inserted += w.eol + outer
		}
		return splice{v.StartOffset + 1, "", inserted}
	}
	first, last := o.Members[0].Name, o.Members[len(o.Members)-1].Value
	flat := !strings.Contains(w.text[v.StartOffset:first.StartOffset], "\n")
	indent, between := w.indentAt(first.StartOffset), " "
	if !flat {
		between = w.eol + indent
	}
	inserted := between + w.named(m, indent, flat)
	if last.AfterExtra != nil { // the object ends with a comma
		at := last.EndOffset + len(last.AfterExtra) + len(",")
		note := sameLine(o.AfterExtra)
		return splice{at, note, note + inserted + ","}
	}
	note := sameLine(o.AfterExtra)
	return splice{last.EndOffset, note, "," + note + inserted}
}

// sameLine returns the part of the space after a value that is on its line, up to the end of the last comment there.
func sameLine(extra []byte) string {
	end := 0
	for i := 0; i < len(extra) && extra[i] != '\n'; {
		length := 1
		switch {
		case bytes.HasPrefix(extra[i:], []byte("//")):
			length = len(bytes.TrimRight(extra[i:i+bytes.IndexByte(extra[i:], '\n')], "\r"))
			end = i + length
		case bytes.HasPrefix(extra[i:], []byte("/*")):
			length = bytes.Index(extra[i+2:], []byte("*/")) + 4
			end = i + length
		}
		i += length
	}
	return string(extra[:end])
}

// named renders a member.
func (w layout) named(m member, indent string, flat bool) string {
	return quoted(m.name) + ": " + w.value(m.value, indent, flat)
}

// value renders members, a list or a string, on one line or on several with this indentation.
func (w layout) value(value any, indent string, flat bool) string {
	var items []string
	open, end := "{", "}"
	switch value := value.(type) {
	case string:
		return quoted(value)
	case []any:
		open, end = "[", "]"
		for _, item := range value {
			items = append(items, w.value(item, indent+w.unit, flat))
		}
	case []member:
		for _, m := range value {
			items = append(items, w.named(m, indent+w.unit, flat))
		}
	}
	if flat {
		return open + strings.Join(items, ", ") + end
	}
	before := w.eol + indent + w.unit
	return open + before + strings.Join(items, ","+before) + w.eol + indent + end
}

// quoted returns a string in the form of JSON and TOML.
func quoted(text string) string { return string(hujson.String(text)) }

package audit

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// value is a JSON value with the line it starts on.
type value struct {
	kind    jsontext.Kind
	text    string // of a string, unquoted; of any other scalar as written
	line    int
	members []member
	items   []*value
}

type member struct {
	name string
	line int
	*value
}

// get is the member of a name, nil for none.
func (v *value) get(name string) *value {
	for _, m := range v.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// is reports whether v is of a kind; nil is of none.
func (v *value) is(kind jsontext.Kind) bool { return v != nil && v.kind == kind }

// scalar is a string or a number as text, "" for anything else.
func (v *value) scalar() string {
	if v.is('"') || v.is('0') {
		return v.text
	}
	return ""
}

// jsonReader builds values from tokens.
type jsonReader struct {
	*jsontext.Decoder
	src  string
	at   int // bytes up to which lines are counted
	line int
}

// parseJSON reads one value. What was read before an error is returned with it.
func parseJSON(src string) (*value, *Problem) {
	tokens := jsontext.NewDecoder(bytes.NewBufferString(src), jsontext.AllowDuplicateNames(true))
	r := &jsonReader{Decoder: tokens, src: src, line: 1}
	v, err := r.value()
	if err == nil {
		if _, err = r.ReadToken(); errors.Is(err, io.EOF) {
			return v, nil
		} else if err == nil {
			err = errors.New("more than one value")
		}
	}
	written := len(strings.TrimRight(src, " \t\n"))
	line := 1 + strings.Count(src[:min(written, r.failedAt(err))], "\n")
	return v, &Problem{line, "the JSON cannot be read: " + reason(err)}
}

// failedAt is the byte that an error is about.
func (r *jsonReader) failedAt(err error) int {
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return int(e.ByteOffset)
	}
	return int(r.InputOffset())
}

func reason(err error) string {
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return e.Err.Error()
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	return err.Error()
}

// read reads a token and counts its line.
func (r *jsonReader) read() (jsontext.Token, error) {
	before := int(r.InputOffset())
	token, err := r.ReadToken()
	if err != nil {
		return token, err
	}
	token = token.Clone()
	end := int(r.InputOffset())
	start := end - len(strings.TrimLeft(r.src[before:end], " \t\r\n,:"))
	r.line += strings.Count(r.src[r.at:start], "\n")
	r.at = start
	return token, nil
}

func (r *jsonReader) value() (*value, error) {
	token, err := r.read()
	if err != nil {
		return nil, err
	}
	v := &value{kind: token.Kind(), line: r.line}
	switch v.kind {
	case '{':
		err = r.object(v)
	case '[':
		err = r.array(v)
	default:
		v.text = token.String()
	}
	return v, err
}

func (r *jsonReader) object(v *value) error {
	for {
		name, err := r.read()
		if err != nil || name.Kind() == '}' {
			return err
		}
		line := r.line
		of, err := r.value()
		if of != nil {
			v.members = append(v.members, member{name.String(), line, of})
		}
		if err != nil {
			return err
		}
	}
}

func (r *jsonReader) array(v *value) error {
	for {
		if r.PeekKind() == ']' {
			_, err := r.read()
			return err
		}
		item, err := r.value()
		if item != nil {
			v.items = append(v.items, item)
		}
		if err != nil {
			return err
		}
	}
}

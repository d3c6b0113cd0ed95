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
	members []member // of an object, or of an array without names
}

type member struct {
	name string
	*value
}

// get returns the member of a name, nil for none.
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

// scalar returns a string or a number as text, "" for anything else.
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
	at, reason := int(r.InputOffset()), err.Error()
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at, reason = int(e.ByteOffset), e.Err.Error()
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		reason = "it ends too early"
	}
	written := len(strings.TrimRight(src, " \t\n"))
	line := 1 + strings.Count(src[:min(written, at)], "\n")
	return v, &Problem{line, "the JSON cannot be read: " + reason}
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

// value reads a value. What was read before an error is returned with it.
func (r *jsonReader) value() (*value, error) {
	token, err := r.read()
	if err != nil {
		return nil, err
	}
	v := &value{kind: token.Kind(), line: r.line}
	if v.kind != '{' && v.kind != '[' {
		v.text = token.String()
		return v, nil
	}
	for r.PeekKind() != '}' && r.PeekKind() != ']' {
		m := member{}
		if v.kind == '{' {
			if token, err = r.read(); err != nil {
				return v, err
			}
			m.name = token.String()
		}
		if m.value, err = r.value(); m.value != nil {
			v.members = append(v.members, m)
		}
		if err != nil {
			return v, err
		}
	}
	_, err = r.read()
	return v, err
}

package toolset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	maxArgumentBytes = 1 << 20
	maxArgumentDepth = 16
)

// Value is a JSON value as it was written: numbers keep their text, objects the
// order of their members.
type Value struct {
	Kind    jsontext.Kind
	Text    string // a string's value, or a number as written
	Members []Member
	Items   []Value
}

// Member is one member of an object.
type Member struct {
	Name string
	Value
}

var errTooDeep = fmt.Errorf("it is nested deeper than %d levels", maxArgumentDepth)

// parseArguments reads the arguments of a call. Nothing and null are an empty
// object; anything but one well-formed object without duplicate names is refused.
func parseArguments(raw []byte) (Value, *Error) {
	empty := Value{Kind: '{'}
	if len(raw) > maxArgumentBytes {
		most := "at most %d bytes of JSON; write a longer text in pieces, with vault_write and mode append"
		return empty, Invalid("arguments", fmt.Sprintf("%d bytes", len(raw)), fmt.Sprintf(most, maxArgumentBytes))
	}
	if len(bytes.TrimSpace(raw)) == 0 {
		return empty, nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	n, err := readNode(d, 0)
	if err == nil {
		err = atEnd(d)
	}
	if err != nil {
		return empty, malformed(err)
	}
	switch n.Kind {
	case 'n':
		return empty, nil
	case '{':
		return n, nil
	}
	return empty, Invalid("arguments", n.Describe(), "a JSON object")
}

func malformed(err error) *Error {
	reason := "it is not well-formed JSON"
	switch se, ok := errors.AsType[*jsontext.SyntacticError](err); {
	case errors.Is(err, errTooDeep):
		reason = errTooDeep.Error()
	case errors.Is(err, jsontext.ErrDuplicateName):
		reason = fmt.Sprintf("%q is given twice", se.JSONPointer.LastToken())
	case ok:
		reason = fmt.Sprintf("it is not well-formed JSON at byte %d", se.ByteOffset)
	}
	return Errorf(InvalidParameter, "arguments must be one JSON object, but %s", reason).
		Argument("arguments", reason, "one JSON object, each name once")
}

func atEnd(d *jsontext.Decoder) error {
	_, err := d.ReadToken()
	if err == io.EOF {
		return nil
	}
	if err == nil {
		return errors.New("text after the value")
	}
	return err
}

func readNode(d *jsontext.Decoder, depth int) (Value, error) {
	if depth > maxArgumentDepth {
		return Value{}, errTooDeep
	}
	token, err := d.ReadToken()
	if err != nil {
		return Value{}, err
	}
	n := Value{Kind: token.Kind()}
	switch n.Kind {
	case '"', '0':
		n.Text = token.String()
	case '{':
		n.Members, err = readMembers(d, depth)
	case '[':
		n.Items, err = readItems(d, depth)
	}
	return n, err
}

func readMembers(d *jsontext.Decoder, depth int) ([]Member, error) {
	members := []Member{}
	for d.PeekKind() != '}' {
		name, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		m := Member{Name: name.String()}
		if m.Value, err = readNode(d, depth+1); err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	_, err := d.ReadToken()
	return members, err
}

func readItems(d *jsontext.Decoder, depth int) ([]Value, error) {
	items := []Value{}
	for d.PeekKind() != ']' {
		item, err := readNode(d, depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	_, err := d.ReadToken()
	return items, err
}

// Find returns the value of a member; null counts as not given.
func (n Value) Find(name string) (Value, bool) {
	for _, m := range n.Members {
		if m.Name == name {
			return m.Value, m.Kind != 'n'
		}
	}
	return Value{}, false
}

// maxGotRunes bounds how much of a caller's own value an error repeats.
const maxGotRunes = 200

// Describe returns the value as an error repeats it: scalars themselves, cut where
// they are long, and the kind of anything larger.
func (n Value) Describe() any {
	switch n.Kind {
	case 'n':
		return nil
	case 't', 'f':
		return n.Kind == 't'
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '0':
		if _, readable := n.Number(); readable && len(n.Text) <= maxGotRunes {
			return json.Number(n.Text)
		}
	}
	return Shorten(n.Text)
}

// Number returns a JSON number, or a string that is written as one; false for anything else.
func (n Value) Number() (float64, bool) {
	if n.Kind != '0' && n.Kind != '"' || strings.Trim(n.Text, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// Texts returns a list of strings; false for anything else.
func (n Value) Texts() ([]string, bool) {
	texts := make([]string, len(n.Items))
	for i, item := range n.Items {
		if item.Kind != '"' {
			return nil, false
		}
		texts[i] = item.Text
	}
	return texts, n.Kind == '['
}

// Plain returns the value as encoding/json reads it, numbers as written.
func (n Value) Plain() any {
	switch n.Kind {
	case 't', 'f':
		return n.Kind == 't'
	case '"':
		return n.Text
	case '0':
		return json.Number(n.Text)
	case '[':
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = item.Plain()
		}
		return items
	case '{':
		members := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			members[m.Name] = m.Plain()
		}
		return members
	}
	return nil
}

package toolset

import (
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

// Value is a JSON value as written: numbers keep their text, and objects the order of their members.
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

func readValue(d *jsontext.Decoder, depth int) (Value, error) {
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
		for d.PeekKind() != '}' {
			name, err := d.ReadToken()
			if err != nil {
				return n, err
			}
			m := Member{Name: name.String()}
			if m.Value, err = readValue(d, depth+1); err != nil {
				return n, err
			}
			n.Members = append(n.Members, m)
		}
		_, err = d.ReadToken()
	case '[':
		for d.PeekKind() != ']' {
			item, err := readValue(d, depth+1)
			if err != nil {
				return n, err
			}
			n.Items = append(n.Items, item)
		}
		_, err = d.ReadToken()
	}
	return n, err
}

// find returns the value of a member; null counts as missing.
func (n Value) find(name string) (Value, bool) {
	for _, m := range n.Members {
		if m.Name == name {
			return m.Value, m.Kind != 'n'
		}
	}
	return Value{}, false
}

// maxGotRunes is the maximum number of runes of a caller's value that an error repeats.
const maxGotRunes = 200

// Describe returns the value for an error: a scalar itself, shortened if it is long, or the kind of anything larger.
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

// Number returns a JSON number, or a string that is written like one, and false for anything else.
func (n Value) Number() (float64, bool) {
	if n.Kind != '0' && n.Kind != '"' || strings.Trim(n.Text, "0123456789+-.eE") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(n.Text, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

// texts returns a list of strings, and false for anything else.
func (n Value) texts() ([]string, bool) {
	texts := make([]string, len(n.Items))
	for i, item := range n.Items {
		if item.Kind != '"' {
			return nil, false
		}
		texts[i] = item.Text
	}
	return texts, n.Kind == '['
}

// plain returns the value as encoding/json decodes it, with numbers as written.
func (n Value) plain() any {
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
			items[i] = item.plain()
		}
		return items
	case '{':
		members := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			members[m.Name] = m.plain()
		}
		return members
	}
	return nil
}

package eval

import (
	"encoding/json"
	"errors"
	"slices"
)

// words is a JSON string or a list of them.
type words []string

// UnmarshalJSON implements [json.Unmarshaler].
func (w *words) UnmarshalJSON(src []byte) error {
	var one *string
	if json.Unmarshal(src, &one) == nil {
		if one != nil {
			*w = words{*one}
		}
		return nil
	}
	if json.Unmarshal(src, (*[]string)(w)) != nil {
		return errors.New("a query's type must be a text or a list of texts")
	}
	return nil
}

// kinds are the types that a line gives, each once.
func (l *line) kinds() []string {
	all := slices.Concat(l.Kind, l.QuestionType, l.Type)
	if l.Verbatim != nil {
		all = append(all, map[bool]string{true: "verbatim", false: "not verbatim"}[*l.Verbatim])
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact([]string(all)), func(s string) bool { return s == "" })
}

package toolset

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// maxExampleBytes is the maximum size of the corrected call in an error.
const maxExampleBytes = 2000

// Corrected adds to an error about arguments the caller's own call with the offending argument corrected, so that an
// agent need not guess. For a query or filters, the error itself says what is right.
func Corrected(err *Error, tool Tool, args *Arguments) *Error {
	example := map[string]any{}
	if args != nil {
		for _, m := range args.value.Members {
			example[m.Name] = m.plain()
		}
	}
	right, _ := err.Details["example"].(map[string]any)
	switch err.Code {
	case InvalidQuery, FilterError:
		maps.Copy(example, right)
		if raw, bad := json.Marshal(example); bad != nil || len(raw) > maxExampleBytes {
			return err
		}
		return err.With("example", example)
	case InvalidParameter, InvalidPath, InvalidRRFCall:
		if err.Details["example"] != nil {
			return err
		}
	default:
		return err
	}
	corrected := correct(example, tool, err)
	if total, ok := err.Details["total_lines"].(int); ok {
		within(corrected, total)
	}
	return err.With("example", corrected)
}

// correct corrects the offending parameter: it moves, renames or drops an unknown name, and gives any other parameter
// the nearest value in the error, or else the value from the tool's typical call.
func correct(call map[string]any, tool Tool, err *Error) map[string]any {
	typical := map[string]any{}
	_ = json.Unmarshal(tool.Example, &typical) // both are ours, and tests read them
	var input shape
	_ = json.Unmarshal(tool.Input(), &input)
	parameter, _ := err.Details["parameter"].(string)
	if tool.writes(parameter) {
		return typical // the caller's file must not get our text
	}
	path := strings.Split(parameter, ".")
	if whole, _ := err.Details["got"].(string); err.Code == InvalidPath && input.optional(path) &&
		strings.Trim(whole, `./\ `) == "" && !strings.Contains(whole, "..") {
		err.Message = parameter + " names nothing below the root; leave it out for all"
		typical = drop(typical, path)
	}
	unknown := input.isUnknown(call, path[0])
	if unknown {
		input.relocate(call)
	}
	if !unknown || input.isUnknown(call, path[0]) {
		fix(call, typical, path, err)
	}
	input.fill(call, typical)
	if tool.correct != nil {
		tool.correct(call)
	}
	if raw, err := json.Marshal(call); err != nil || len(raw) > maxExampleBytes {
		return typical
	}
	return call
}

// drop returns a call without an argument.
func drop(call map[string]any, path []string) map[string]any {
	call = maps.Clone(call)
	if inner, ok := call[path[0]].(map[string]any); ok && len(path) > 1 {
		call[path[0]] = drop(inner, path[1:])
	} else {
		delete(call, path[0])
	}
	return call
}

func fix(call, typical map[string]any, path []string, err *Error) {
	name, _, listed := strings.Cut(path[0], "[") // for an element, the whole list is corrected
	if deeper, ok := call[name].(map[string]any); ok && len(path) > 1 {
		inner, _ := typical[name].(map[string]any)
		fix(deeper, inner, path[1:], err)
		return
	}
	if fixElement(call[name], typical[name], path[1:], err) {
		return
	}
	given := call[name]
	delete(call, name)
	meant := ""
	if close, _ := err.Details["did_you_mean"].([]string); len(close) > 0 {
		meant = close[0][strings.LastIndex(close[0], ".")+1:]
	}
	right, known := typical[name]
	nearest := err.Details["nearest"]
	switch {
	case nearest != nil && !listed:
		call[name] = nearest
	case listed && err.Details["total_lines"] != nil: // within moves all ranges
		call[name] = given
	case known:
		call[name] = right
	case meant != "" && call[meant] == nil && alike(given, typical[meant]):
		call[meant] = given
	case name == "lines" && call["start_line"] == nil: // of a passage
		first, _, _ := strings.Cut(fmt.Sprint(given), "-")
		if n, err := strconv.Atoi(first); err == nil {
			call["start_line"] = n
		}
	}
}

// fixElement corrects an object in a list by the first element of the typical list.
func fixElement(list, typical any, path []string, err *Error) bool {
	all, _ := list.([]any)
	if len(path) < 2 {
		return false
	}
	i, notNumber := strconv.Atoi(path[0])
	if notNumber != nil || i >= len(all) {
		return false
	}
	one, isObject := all[i].(map[string]any)
	if like, _ := typical.([]any); isObject && len(like) > 0 {
		inner, _ := like[0].(map[string]any)
		fix(one, inner, path[1:], err)
		return true
	}
	return false
}

// alike reports whether two values are of the same JSON kind; nil is like every kind.
func alike(a, b any) bool {
	_, numberA := a.(json.Number)
	_, numberB := b.(float64)
	return a == nil || b == nil || numberA && numberB || reflect.TypeOf(a) == reflect.TypeOf(b)
}

// within moves the line ranges of a call into a file of total lines. An empty file is read as a whole.
func within(call map[string]any, total int) {
	if _, ranged := call["range"].(map[string]any); ranged && total == 0 {
		delete(call, "range")
		call["full"] = true
	}
	if ranges, ok := call["cited_ranges"].([]any); ok && total == 0 {
		call["cited_ranges"] = ranges[:0]
	}
	for _, value := range call {
		all, ok := value.([]any)
		if !ok {
			all = []any{value}
		}
		for _, one := range all {
			if r, ok := one.(map[string]any); ok && r["start_line"] != nil && r["end_line"] != nil {
				start := min(lineOf(r["start_line"]), total)
				r["start_line"], r["end_line"] = start, min(max(start, lineOf(r["end_line"])), total)
			}
		}
	}
}

// lineOf returns the line number in a value of a call, at least 1.
func lineOf(value any) int {
	line, _ := strconv.ParseFloat(fmt.Sprint(value), 64) // 0 if it is not a number
	return max(1, int(min(line, math.MaxInt32)))
}

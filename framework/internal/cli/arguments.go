package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// arguments are those of a tool, by their names in its schema.
type arguments map[string]any

// set sets an argument, such as budget.time_ms.
func (a arguments) set(name string, value any) {
	outer, inner, nested := strings.Cut(name, ".")
	if !nested {
		a[name] = value
		return
	}
	below, ok := a[outer].(arguments)
	if !ok {
		below = arguments{}
		a[outer] = below
	}
	below.set(inner, value)
}

// wordReader turns the words of a command line into arguments.
type wordReader func(line []string, into arguments) error

// placed gives each word to the argument at its place.
func placed(names ...string) wordReader {
	return func(line []string, into arguments) error {
		for i, word := range line {
			into.set(names[i], word)
		}
		return nil
	}
}

// joined gives all words to one argument.
func joined(name string) wordReader {
	return func(line []string, into arguments) error {
		into.set(name, strings.Join(line, " "))
		return nil
	}
}

// bind adds flags for arguments of the struct A to a command, and returns what reads all that the
// command line gives of A. Each of the flags is NAME[,SHORT][=ARGUMENT][:DEFAULT]; type, bounds and
// help are those of the tool's schema.
func bind[A any](c *cobra.Command, read wordReader, flags string) func(line []string) (A, error) {
	schema := toolset.InputSchema(reflect.TypeFor[A]())
	var bound []*argumentFlag
	for spec := range strings.FieldsSeq(flags) {
		spec, preset, own := strings.Cut(spec, ":")
		name, argument, _ := strings.Cut(spec, "=")
		name, short, _ := strings.Cut(name, ",")
		f := &argumentFlag{argument: cmp.Or(argument, strings.ReplaceAll(name, "-", "_"))}
		f.schema = memberOf(schema, f.argument)
		f.text = strings.Trim(string(f.schema.Default), `"`)
		if own {
			if err := f.Set(preset); err != nil {
				panic(err) // only for a default that the schema refuses
			}
		}
		flag := c.Flags().VarPF(f, name, short, f.usage())
		if f.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
		if among := f.choices(); len(among) > 0 {
			completeFlag(c, name, oneOf(among...))
		}
		bound = append(bound, f)
	}
	return func(line []string) (A, error) {
		given := arguments{}
		if err := read(line, given); err != nil {
			return *new(A), usageError{err}
		}
		for _, f := range bound {
			if f.value != nil {
				given.set(f.argument, f.value)
			}
		}
		return decode[A](given)
	}
}

// memberOf returns the schema of an argument, such as budget.time_ms.
func memberOf(s *jsonschema.Schema, name string) *jsonschema.Schema {
	for member := range strings.SplitSeq(name, ".") {
		if s.Properties == nil && len(s.AnyOf) > 0 {
			s = s.AnyOf[0]
		}
		s = s.Properties[member]
	}
	return s
}

// decode reads arguments as those of a call.
func decode[A any](given arguments) (a A, err error) {
	raw, err := json.Marshal(given)
	if err != nil {
		return a, err
	}
	args, bad := toolset.ParseArguments(raw)
	if bad != nil {
		return a, bad
	}
	return toolset.Decode[A](args)
}

// argumentFlag is the flag of an argument. A list takes an item each time, an object
// NAME=NUMBER,….
type argumentFlag struct {
	argument string
	schema   *jsonschema.Schema
	value    any // nil when not given
	text     string
}

// undescribed are helps of flags for arguments whose names say enough to a client.
var undescribed = map[string]string{
	"kind": "what to list", "offset": "rows to leave out", "limit": "rows to print", "mode": "how QUERY is read",
	"start_line": "the line to start at", "cursor.char_offset": "the code point to start at, from a previous piece",
	"max_evidence": "places to find",
}

func (f *argumentFlag) usage() string {
	usage := cmp.Or(f.schema.Description, undescribed[f.argument])
	if among := f.choices(); len(among) > 0 {
		usage += " (" + strings.Join(among, ", ") + ")"
	}
	return strings.ReplaceAll(usage, "`", "'")
}

func (f *argumentFlag) choices() (words []string) {
	for _, word := range f.schema.Enum {
		if word != nil {
			words = append(words, fmt.Sprint(word))
		}
	}
	return words
}

// kind is the flag's type in JSON Schema.
func (f *argumentFlag) kind() string {
	return append([]string{f.schema.Type}, f.schema.Types...)[min(len(f.schema.Types), 1)]
}

// Type implements [pflag.Value].
func (f *argumentFlag) Type() string {
	switch kind := f.kind(); kind {
	case "integer":
		return "int"
	case "boolean":
		return "bool"
	case "array":
		return "JSON"
	case "object":
		return "weights"
	default:
		return kind
	}
}

// String implements [pflag.Value].
func (f *argumentFlag) String() string { return f.text }

// Set implements [pflag.Value].
func (f *argumentFlag) Set(text string) (err error) {
	var value any = text
	switch f.kind() {
	case "integer":
		value, err = strconv.Atoi(text)
	case "boolean":
		value, err = strconv.ParseBool(text)
	case "array":
		items, _ := f.value.([]any)
		var item any
		err = json.Unmarshal([]byte(text), &item)
		f.value = append(items, item)
		return err // the tool says what is wrong with an item
	case "object":
		return f.setMembers(text)
	}
	if err == nil {
		err = f.check(value)
	}
	f.value, f.text = value, text
	return err
}

func (f *argumentFlag) setMembers(text string) error {
	members, _ := f.value.(map[string]float64)
	members = maps.Clone(members)
	if members == nil {
		members = map[string]float64{}
	}
	for pair := range strings.SplitSeq(text, ",") {
		name, number, _ := strings.Cut(pair, "=")
		weight, err := strconv.ParseFloat(number, 64)
		if err != nil {
			return err
		}
		members[name] = weight
	}
	f.value = members
	return nil
}

// check compares a value with the schema's bounds.
func (f *argumentFlag) check(value any) error {
	schema, err := f.schema.Resolve(nil)
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// wants says what the flag takes.
func (f *argumentFlag) wants() string {
	switch s := f.schema; f.kind() {
	case "integer":
		if s.Maximum != nil {
			return fmt.Sprintf("a whole number from %.0f to %.0f", *s.Minimum, *s.Maximum)
		}
		return fmt.Sprintf("a whole number, %.0f or more", *s.Minimum)
	case "boolean":
		return "true or false"
	case "array":
		return "a JSON object"
	case "object":
		return "NAME=WEIGHT, separated by commas; the weight must be a number"
	}
	return "one of " + strings.Join(slices.Sorted(slices.Values(f.choices())), ", ")
}

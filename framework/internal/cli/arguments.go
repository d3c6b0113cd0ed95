package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// arguments are the arguments of a tool, by their names in its schema.
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

// placed gives each word to the argument at its position.
func placed(names ...string) wordReader {
	return func(line []string, into arguments) error {
		for i, word := range line {
			into.set(names[i], word)
		}
		return nil
	}
}

// wordless accepts no words.
func wordless([]string, arguments) error { return nil }

// joined gives all words to one argument.
func joined(name string) wordReader {
	return func(line []string, into arguments) error {
		into.set(name, strings.Join(line, " "))
		return nil
	}
}

// argumentOf is the annotation that maps a flag to its argument.
const argumentOf = "argument"

type boundFlag struct {
	*pflag.Flag
	preset bool // its default differs from the argument's
}

// bind adds flags for arguments of the struct A to a command, and returns a function that reads an A from words and
// flags. Each of flags is NAME[,SHORT][=ARGUMENT][:DEFAULT]; type, bounds and help come from the tags of A, see
// [toolset.Decode].
func bind[A any](c *cobra.Command, read wordReader, flags string) func(line []string) (A, error) {
	schema, bound := toolset.InputSchema(reflect.TypeFor[A]()), map[string]boundFlag{}
	for spec := range strings.FieldsSeq(flags) {
		spec, preset, own := strings.Cut(spec, ":")
		name, argument, _ := strings.Cut(spec, "=")
		name, short, _ := strings.Cut(name, ",")
		argument = cmp.Or(argument, strings.ReplaceAll(name, "-", "_"))
		flag := addFlag(c, name, short, argument, memberOf(schema, argument))
		if own {
			flag.DefValue = preset
		}
		bound[argument] = boundFlag{flag, own}
	}
	return func(line []string) (A, error) {
		given := arguments{}
		if err := read(line, given); err != nil {
			return *new(A), usageError{err}
		}
		for argument, flag := range bound {
			switch {
			case flag.Changed:
				given.set(argument, valueOf(flag.Value.String(), flag.Flag))
			case flag.preset && given[argument] == nil:
				given.set(argument, valueOf(flag.DefValue, flag.Flag))
			}
		}
		in, err := decode[A](given)
		return in, namingFlag(err, c)
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

// undescribed holds the help of flags for arguments whose names are clear enough to MCP clients.
var undescribed = map[string]string{
	"kind": "what to list", "offset": "rows to leave out", "limit": "rows to print", "mode": "how QUERY is read",
	"start_line": "the line to start at", "cursor.char_offset": "the code point to start at, from a previous piece",
	"max_evidence": "places to find", "context": "lines to print before and after", "direction": "which references",
	"manual_id": "one manual; all when not given", "max_tokens": "tokens of the reply by an estimate, at most",
}

// addFlag adds a flag according to the schema of its argument.
func addFlag(c *cobra.Command, name, short, argument string, s *jsonschema.Schema) *pflag.Flag {
	usage, f := cmp.Or(s.Description, undescribed[argument]), c.Flags()
	var words []string
	for _, word := range s.Enum {
		if word != nil {
			words = append(words, fmt.Sprint(word))
		}
	}
	if len(words) > 0 {
		usage += " (" + strings.Join(words, ", ") + ")"
	}
	switch append(s.Types, s.Type)[0] {
	case "integer":
		f.IntP(name, short, 0, usage)
	case "boolean":
		f.BoolP(name, short, false, usage)
	case "array":
		f.StringArrayP(name, short, nil, usage)
	default:
		f.StringP(name, short, "", usage)
	}
	if len(words) > 0 {
		completeFlag(c, name, oneOf(words...))
	}
	flag := f.Lookup(name)
	flag.Annotations = map[string][]string{argumentOf: {argument}}
	flag.DefValue = cmp.Or(strings.Trim(string(s.Default), `"`), flag.DefValue)
	return flag
}

// valueOf returns the JSON value of a flag whose value is text.
func valueOf(text string, flag *pflag.Flag) any {
	if list, ok := flag.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	if flag.Value.Type() == "string" {
		return text
	}
	return json.RawMessage(text)
}

func splitCommas(items []string) []string {
	return strings.FieldsFunc(strings.Join(items, ","), func(r rune) bool { return r == ',' })
}

// decode reads arguments like those of a tool call.
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

// namingFlag turns an error about the argument of a flag into a usage error that names the flag.
func namingFlag(err error, c *cobra.Command) error {
	if bad, ok := errors.AsType[*toolset.Error](err); ok {
		if message := forPeople(bad, c).Message; message != bad.Message {
			return usageError{errors.New(message)}
		}
	}
	return err
}

// wordOf holds the words for arguments in usage lines.
var wordOf = map[string]string{
	"manual_id": "MANUAL", "path": "PATH", "relative_dir": "DIR", "query": "QUERY", "artifact_path": "ARTIFACT",
	"source_path": "SOURCE", "to_path": "TO", "ref.start_line": "LINE", "from_ref.path": "PATH",
	"from_ref.start_line": "LINE", "range.start_line": "FIRST", "range.end_line": "LAST",
}

// withFlag returns the message of an error. If it begins with the name of an argument, that becomes the flag, if the
// flag or nothing gave the argument, or else its word in the usage line.
func withFlag(bad *toolset.Error, c *cobra.Command) string {
	message := bad.Message
	argument, _ := bad.Details["parameter"].(string)
	rest, about := strings.CutPrefix(message, argument+" ")
	visit := c.Flags().Visit
	if bad.Details["got"] == nil {
		visit = c.Flags().VisitAll
	}
	if word := wordOf[argument]; about && word != "" && strings.Contains(c.Use, word) {
		message = word + " " + rest
	}
	visit(func(flag *pflag.Flag) {
		if of := flag.Annotations[argumentOf]; about && len(of) > 0 && of[0] == argument {
			message = "--" + flag.Name + " " + rest
		}
	})
	c.Flags().VisitAll(func(flag *pflag.Flag) {
		if of := flag.Annotations[argumentOf]; len(of) > 0 && strings.Contains(of[0], "_") {
			message = strings.ReplaceAll(message, " "+of[0]+" ", " --"+flag.Name+" ")
		}
	})
	return message
}

// lined is a path with the line that find prints after it, or with that of a node of manual_toc.
var lined = lazyregexp.New(`^(.+\.[A-Za-z]\w{0,9})(?::|#L?)([0-9]+)$`)

// position reads a place in a manual, below the argument prefix: a manual and a path, or both in one as find prints
// them, MANUAL/PATH:LINE. The path may end in a line in both forms.
func position(prefix string) wordReader {
	return func(line []string, into arguments) error {
		places, err := placesOf(line)
		if err != nil {
			return err
		}
		if len(places) > 1 {
			return fmt.Errorf("%q is one place too many", line[1])
		}
		for name, value := range places[0] {
			into.set(prefix+name, value)
		}
		return nil
	}
}

// positions reads one place into ref, or several into refs.
func positions(line []string, into arguments) error {
	places, err := placesOf(line)
	switch {
	case err != nil:
		return err
	case len(places) == 1:
		into["ref"] = places[0]
	default:
		into["refs"] = places
	}
	return nil
}

// placesOf reads a manual and paths in it, or words that are each both.
func placesOf(line []string) ([]arguments, error) {
	manual := ""
	if len(line) > 1 && !strings.Contains(line[0], "/") {
		manual, line = line[0]+"/", line[1:]
	}
	var places []arguments
	for _, word := range line {
		id, path, ok := strings.Cut(manual+word, "/")
		if !ok {
			return nil, fmt.Errorf("%q is no position: give MANUAL/PATH:LINE as find prints it, or MANUAL PATH", word)
		}
		if m := lineRange().FindStringSubmatch(word); m != nil && m[3] != "" {
			return nil, fmt.Errorf("%q names several lines: give one, %s:%s, for the section that holds it",
				word, m[1], m[2])
		}
		place := arguments{"manual_id": id, "path": path}
		if m := lined().FindStringSubmatch(path); m != nil {
			n, err := strconv.Atoi(m[2])
			if err != nil {
				return nil, fmt.Errorf("%q is no line", m[2])
			}
			place["path"], place["start_line"] = m[1], n
		}
		places = append(places, place)
	}
	return places, nil
}

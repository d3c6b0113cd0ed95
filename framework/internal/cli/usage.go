package cli

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// usageError marks a wrong command line.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// anyNumber is the most arguments of a command that sets no bound.
const anyNumber = math.MaxInt

// arity returns how many arguments a usage line names: [OPTIONAL], MANY..., and | between forms.
func arity(use string) (least, most int) {
	_, line, _ := strings.Cut(use, " ")
	least = anyNumber
	for form := range strings.SplitSeq(line, " | ") {
		needed, all := 0, 0
		for word := range strings.FieldsSeq(form) {
			all++
			if !strings.HasPrefix(word, "[") {
				needed++
			}
			if strings.HasSuffix(word, "...") {
				all = anyNumber
			}
		}
		least, most = min(least, needed), max(most, all)
	}
	return least, most
}

// takes wants least to most arguments, named as the command's usage line names them.
func takes(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return usageError{fmt.Errorf("an argument is missing: %s", c.UseLine())}
		case len(args) > most && most == 0:
			return usageError{fmt.Errorf("%s takes no argument such as %q", c.Name(), args[0])}
		case len(args) > most:
			return usageError{fmt.Errorf("%q is one argument too many: %s", args[most], c.UseLine())}
		}
		return nil
	}
}

// wrongFlag says what a flag takes when its value cannot be read, and which flag
// may be meant when there is none of that name.
func wrongFlag(c *cobra.Command, err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if kind, ok := flagValues[bad.GetFlag().Value.Type()]; ok {
			err = fmt.Errorf("--%s is %q: it must be %s", bad.GetFlag().Name, bad.GetValue(), kind)
		}
	}
	if absent, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if absent.GetSpecifiedShortnames() != "" {
			err = fmt.Errorf("unknown shorthand flag in %q", "-"+absent.GetSpecifiedShortnames())
		}
		if near := toolset.DidYouMean(absent.GetSpecifiedName(), flagNames(c), 1); len(near) > 0 {
			err = fmt.Errorf("%w, did you mean --%s?", err, near[0])
		}
	}
	return usageError{err}
}

// flagValues says in words what a flag of a type takes.
var flagValues = map[string]string{"int": "a whole number",
	"uint": "a whole number, 0 or more", "float64": "a number", "bool": "true or false", "duration": "a duration such as 30s or 5m"}

func flagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

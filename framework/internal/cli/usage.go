package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// usageError marks a wrong command line.
type usageError struct{ error }

func (u usageError) Unwrap() error { return u.error }

// anyNumber is the maximum number of arguments of a command that sets no limit.
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

// takes requires between least and most arguments, with the names in the command's usage line.
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

// wrongFlag says what a flag accepts if its value cannot be read, and suggests a flag if there is none of that name.
func wrongFlag(c *cobra.Command, err error) error {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		if kind, ok := flagValues[bad.GetFlag().Value.Type()]; ok {
			err = fmt.Errorf("--%s is %q: it must be %s", bad.GetFlag().Name, bad.GetValue(), kind)
		}
	}
	if absent, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if letters := absent.GetSpecifiedShortnames(); letters != "" {
			if letters[0] < utf8.RuneSelf {
				letters = letters[:1] // the others may be flags
			}
			err = fmt.Errorf("there is no flag such as %.100q; put -- before words that begin with -", "-"+letters)
		}
		var names []string
		c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := toolset.DidYouMean(absent.GetSpecifiedName(), names, 1); len(near) > 0 {
			err = fmt.Errorf("%w, did you mean --%s?", err, near[0])
		}
	}
	return usageError{err}
}

// flagValues describes the values of a flag of a type.
var flagValues = map[string]string{
	"int": "a whole number", "uint": "a whole number, 0 or more", "bool": "true or false",
}

// usualSettings are the flags of settings that the help of every command shows. The others appear only in the help
// topic.
var usualSettings = []string{"workspace", "manuals", "vault-root", "publications-root", "logic-root", "log-level",
	"read-only"}

// settingsTopic returns a help page that is not a command.
func settingsTopic(all *pflag.FlagSet) *cobra.Command {
	return &cobra.Command{
		Use:   "settings",
		Short: "Every setting, and where it may be made",
		Long: `Nothing needs to be set. A setting is taken from the first of these that has it:

  1. its flag, which every command takes
  2. the environment, under its name in capitals: --log-level is LOG_LEVEL
  3. sagasu.toml in the workspace, in small letters: trace_ttl_sec = 3600. A workspace
     may come from a stranger, so endpoints, keys, grants and outer folders are refused there
  4. the user's own config.toml
  5. the default

sagasu doctor shows what is in effect and where it came from.

` + all.FlagUsages(),
	}
}

// wantTopic makes help fail for a name that is not a command.
func wantTopic(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = func(_ *cobra.Command, topic []string) error {
				if found, rest, err := root.Find(topic); err != nil || found.HasSubCommands() {
					return cmp.Or(err, noSuchCommand(found, rest))
				}
				return nil
			}
		}
	}
}

// showUsualSettings hides the other settings in the help of root and its commands.
func showUsualSettings(root *cobra.Command) {
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
			f.Hidden = f.Hidden || f.Name != "help" && !slices.Contains(usualSettings, f.Name)
		})
		show(c, args)
		if c.Name() != "settings" {
			fmt.Fprintln(c.OutOrStdout(), "\nEvery setting is a flag of every command: sagasu help settings "+
				"lists them.")
		}
	})
}

package workspace

import (
	"reflect"
	"strings"

	"github.com/spf13/pflag"
)

// Flags are the settings given on a command line.
type Flags struct {
	// Values holds the given settings by name, such as "TRACE_MAX_KEEP".
	Values map[string]string
	// Unset names settings that keep their defaults, whatever the other sources say.
	Unset []string
	// Manuals are the folders given by --manuals. A folder that holds files of a manual is a manual; any other is a
	// folder of manuals. They replace all other manuals of the configuration.
	Manuals []string
}

// RegisterFlags adds to fs one flag per setting that is not private, and --manuals. The returned Flags are filled while
// fs is parsed.
func RegisterFlags(fs *pflag.FlagSet, schema Schema) *Flags {
	f := &Flags{Values: map[string]string{}}
	for _, s := range schema.settings() {
		if s.private() {
			continue
		}
		f.register(fs, s, s.flag())
		if s.name == rootSetting {
			f.register(fs, s, rootFlag)
		}
	}
	fs.StringArrayVar(&f.Manuals, "manuals", nil, "a manual's `DIR`, or a folder of manuals; may be repeated")
	return f
}

func (f *Flags) register(fs *pflag.FlagSet, s setting, name string) {
	usage := s.Get("doc")
	if arg := s.Get("arg"); arg != "" {
		usage = strings.Replace(usage, arg, "`"+arg+"`", 1)
	}
	flag := fs.VarPF(&flagValue{flags: f, of: s}, name, "", usage+describe(s))
	if s.field.Kind() == reflect.Bool {
		flag.NoOptDefVal = "true"
	}
}

func describe(s setting) string {
	parts := []string{}
	if !s.isPath() {
		parts = append(parts, s.want())
	}
	if def := s.standard(); def != "" && !strings.HasPrefix(def, "${") {
		parts = append(parts, "default "+def)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// flagValue keeps a flag as written. Load checks it, so that all sources share one error message.
type flagValue struct {
	flags *Flags
	of    setting
}

func (v *flagValue) Set(raw string) error {
	v.flags.Values[v.of.name] = raw
	return nil
}

func (v *flagValue) String() string { return v.flags.Values[v.of.name] }

func (v *flagValue) Type() string {
	if v.of.field.Kind() == reflect.Bool {
		return "bool"
	}
	return "value"
}

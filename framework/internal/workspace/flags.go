package workspace

import (
	"strings"

	"github.com/spf13/pflag"
)

// Flags are the settings given on a command line.
type Flags struct {
	// Values holds the given settings by name, such as "TRACE_MAX_KEEP".
	Values map[string]string
	// Manuals are the folders given by --manuals. A folder that holds
	// Markdown or JSON files is one manual; any other is a folder of manuals.
	// They stand in for every other manual of the configuration.
	Manuals []string
}

// RegisterFlags adds to fs one flag per setting, and --manuals. The returned
// Flags fill while fs is parsed.
func RegisterFlags(fs *pflag.FlagSet) *Flags {
	f := &Flags{Values: map[string]string{}}
	for _, s := range settingsOf(new(Workspace)) {
		f.register(fs, s, s.flag())
		if s.name == rootSetting {
			f.register(fs, s, rootFlag)
		}
	}
	fs.StringArrayVar(&f.Manuals, "manuals", nil, "a manual's `DIR`, or a folder of manuals; may be repeated")
	return f
}

func (f *Flags) register(fs *pflag.FlagSet, s setting, name string) {
	flag := fs.VarPF(&flagValue{flags: f, row: s}, name, "", s.usage+describe(s))
	if s.value.bool {
		flag.NoOptDefVal = "true"
	}
}

func describe(s setting) string {
	parts := []string{}
	if !s.value.path {
		parts = append(parts, s.value.want)
	}
	if s.def != "" && !strings.HasPrefix(s.def, "${") {
		parts = append(parts, "default "+s.def)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, "; ") + ")"
}

// flagValue keeps a flag as it was written; Load checks it, so that one
// message serves every source.
type flagValue struct {
	flags *Flags
	row   setting
}

func (v *flagValue) Set(raw string) error {
	v.flags.Values[v.row.name] = raw
	return nil
}

func (v *flagValue) String() string { return "" }

// Given returns what a flag of [RegisterFlags] was set to, "" for one that was not.
func Given(flag *pflag.Flag) string {
	if v, ok := flag.Value.(*flagValue); ok {
		return v.flags.Values[v.row.name]
	}
	return ""
}

func (v *flagValue) Type() string {
	if v.row.value.bool {
		return "bool"
	}
	return "value"
}

package workspace

import (
	"os"
	"reflect"
	"slices"
	"time"
)

// Settings are the settings of the workspace itself. Other packages declare structs of their own in the same way, which
// a program lists in a [Schema]. The tags of a field make it a setting:
//
//	setting:"NAME"   its name in the environment, from which its flag and its key in a file are derived
//	default:"…"      its value if no source has one, instead of what the field holds; a relative
//	                 path starts from the workspace
//	min, max         bounds of a number, inclusive
//	enum:"a,b"       the words that it may be
//	kind:"path"      a path, or a list of paths, made absolute. ${NAME} in it is replaced by a setting
//	                 of that kind which is listed before it
//	guest:"…"        a workspace's own file, which may come from a stranger, may set it. A path that
//	                 it sets must be in the workspace, and below the folder that this tag names, if any
//	root:"…"         the path is a root of the workspace, see [Root]
//	strategy:"NAME"  a file may also set it as enabled or weight of [strategies.NAME]
//	want:"…"         completes "it must be …" for a type that is a [Parser]
//	arg, doc         the help of the flag, and the word in it for the value
//	private:""       it may hold a password: it has no flag, and errors do not quote it. Its type is a [Parser]
//	                 that does not show it
//	secret:"NAME"    instead of setting: read only from the environment, and never listed
//
// A field is a string, bool, int, float64, []string or a [Parser]; a struct holds more settings.
type Settings struct {
	Root        string `setting:"WORKSPACE_ROOT" kind:"path" root:"" default:"." arg:"DIR" doc:"the workspace DIR"`
	ManualsRoot string `setting:"MANUALS_ROOT" kind:"path" root:"read" guest:"" default:"${WORKSPACE_ROOT}/manuals" arg:"DIR" doc:"DIR that holds one folder per manual"`
	CacheHome   string `setting:"SAGASU_CACHE_DIR" kind:"path" root:"derived" default:"${CACHE}" arg:"DIR" doc:"DIR for index directories"`
	LogLevel    string `setting:"LOG_LEVEL" enum:"trace,debug,info,warn,error,off" default:"info" doc:"how much is logged on stderr"`

	TraceMaxKeep int `setting:"TRACE_MAX_KEEP" guest:"" min:"1" max:"100000" default:"100" doc:"traces kept per session"`
	TraceTTLSec  int `setting:"TRACE_TTL_SEC" guest:"" min:"1" max:"31536000" default:"1800" doc:"seconds that a trace lives"`

	Toolsets   []string `setting:"TOOLSETS" doc:"tool groups to switch on, separated by commas; by what the workspace holds when not given"`
	ReadOnly   bool     `setting:"READ_ONLY" default:"false" doc:"leave out every tool that writes, and refuse every command that does in the workspace or a collection"`
	ResultForm string   `setting:"RESULT_FORM" enum:"both,structured,text,auto" default:"both" doc:"how an MCP result carries its JSON; auto is what suits the client"`
}

// TraceTTL returns how long a trace lives.
func (s *Settings) TraceTTL() time.Duration { return time.Duration(s.TraceTTLSec) * time.Second }

// rootSetting is the setting that must be known before all others.
const rootSetting = "WORKSPACE_ROOT"

// rootFlag is the flag of rootSetting that the help shows first.
const rootFlag = "workspace"

// Schema lists the settings of a program besides [Settings]: structs with tags, whose fields hold default values.
type Schema []any

// Checker is a pointer to a struct of settings that rejects values which contradict each other or the content of the
// workspace.
type Checker interface {
	CheckSettings(w *Workspace) error
}

// Of returns the settings of one struct of the program's schema. It panics if the schema lacks it.
func Of[S any](w *Workspace) *S {
	for _, part := range w.parts {
		if s, ok := part.(*S); ok {
			return s
		}
	}
	panic("workspace: the schema lacks " + reflect.TypeFor[S]().String())
}

// bind returns pointers to copies of the schema's structs that may be filled, the workspace's own first.
func (s Schema) bind(own *Settings) []any {
	parts := []any{own}
	for _, part := range s {
		fresh := reflect.New(reflect.TypeOf(part))
		fresh.Elem().Set(reflect.ValueOf(part))
		parts = append(parts, fresh.Interface())
	}
	return parts
}

// settings lists the settings of a schema without a workspace.
func (s Schema) settings() []setting { return settingsOf(s.bind(new(Settings))) }

func settingsOf(parts []any) (all []setting) {
	for _, part := range parts {
		all = append(all, fieldsOf(reflect.ValueOf(part).Elem())...)
	}
	return all
}

func fieldsOf(of reflect.Value) (all []setting) {
	for f, value := range of.Fields() {
		switch name := f.Tag.Get("setting"); {
		case name != "":
			all = append(all, setting{f.Tag, name, value})
		case f.IsExported() && value.Kind() == reflect.Struct:
			all = append(all, fieldsOf(value)...)
		}
	}
	return all
}

// readSecrets fills the fields that are never listed.
func (w *Workspace) readSecrets(getenv func(string) string) {
	for _, part := range w.parts {
		for f, value := range reflect.ValueOf(part).Elem().Fields() {
			if name := f.Tag.Get("secret"); name != "" {
				value.SetString(getenv(name))
			}
		}
	}
}

// Value returns the effective value of a setting such as "RERANK_URL", or "" for an unknown one.
func (w *Workspace) Value(name string) string {
	for _, s := range settingsOf(w.parts) {
		if s.name == name {
			return s.show()
		}
	}
	return ""
}

// Effective is the value of one setting and where it came from.
type Effective struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

// Effective lists every setting in the order of the schema.
func (w *Workspace) Effective() (all []Effective) {
	for _, s := range settingsOf(w.parts) {
		all = append(all, Effective{Name: s.name, Value: s.show(), Origin: w.Origin(s.name)})
	}
	return all
}

// Root is a path that the workspace consists of. Its role is that of the tag root: products write or read the files of
// "written" and "read" roots, "derived" holds indexes, and "" may be anywhere. Roots of the first three must not
// overlap.
type Root struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
	Origin string `json:"origin"` // where the setting came from
	role   string
}

// Roots lists the roots in the order of the schema, with derived ones last.
func (w *Workspace) Roots() (all []Root) {
	var derived []Root
	for _, s := range settingsOf(w.parts) {
		role, is := s.Lookup("root")
		_, err := os.Stat(s.field.String())
		root := Root{s.name, s.field.String(), err == nil, w.Origin(s.name), role}
		switch {
		case role == "derived":
			derived = append(derived, root)
		case is:
			all = append(all, root)
		}
	}
	return append(all, derived...)
}

// Named reports whether the user gave a setting: by flag, environment or the user's own file.
func (w *Workspace) Named(name string) bool { return w.Origin(name) != "default" && !w.guests[name] }

// Wants reports whether TOOLSETS names one of the groups.
func (w *Workspace) Wants(groups ...string) bool {
	return slices.ContainsFunc(groups, func(g string) bool { return slices.Contains(w.Toolsets, g) })
}

// Ignore makes a setting count as missing, for a product that does not use it.
func (w *Workspace) Ignore(name string) { w.origins[name], w.guests[name] = "default", false }

// FromGuest reports whether the workspace's own file gave a setting.
func (w *Workspace) FromGuest(name string) bool { return w.guests[name] }

package wire

import (
	"cmp"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// sdkVersion is the version of the module that contains the sdk, as recorded in the executable by the Go command;
// "devel" for a checkout.
var sdkVersion = sync.OnceValue(func() string {
	const unknown = "devel"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	own := reflect.TypeFor[Server]().PkgPath()
	of := func(m *debug.Module) bool { return strings.HasPrefix(own, m.Path+"/") }
	module := &info.Main
	if i := slices.IndexFunc(info.Deps, of); i >= 0 {
		module = info.Deps[i]
	}
	if module.Replace != nil {
		module = module.Replace
	}
	return cmp.Or(strings.Trim(module.Version, "()"), unknown)
})

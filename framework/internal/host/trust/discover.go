package trust

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Uninstalled is an executable in a folder of PLUGIN_PATH that is not installed. It does not
// start.
type Uninstalled struct {
	// Name is made from the file's: what it calls itself only a start would tell.
	Name string
	Path string
}

// FindUninstalled returns the executables of the folders that no entry pins. The error names the folders that cannot
// be read.
func FindUninstalled(folders []string, plugins []Plugin) (out []Uninstalled, err error) {
	for _, folder := range folders {
		entries, unread := os.ReadDir(folder)
		err = errors.Join(err, unread)
		for _, e := range entries {
			path := filepath.Join(folder, e.Name())
			info, err := os.Stat(path)
			if err != nil || !Executable(info) || strings.HasPrefix(e.Name(), ".") || pinned(path, plugins) {
				continue
			}
			out = append(out, Uninstalled{strategyName(e.Name()), path})
		}
	}
	return out, err
}

func pinned(path string, plugins []Plugin) bool {
	return slices.ContainsFunc(plugins, func(p Plugin) bool { return p.Path == path })
}

// within reports whether a file lies in one of the folders.
func within(path string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return filepath.Clean(f) == filepath.Dir(path) })
}

// Executable reports whether a file can be started.
func Executable(info fs.FileInfo) bool {
	if runtime.GOOS == "windows" {
		return info.Mode().IsRegular() && strings.EqualFold(filepath.Ext(info.Name()), ".exe")
	}
	return info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

var foreign = lazyregexp.New(`[^a-z0-9-]+`)

// strategyName makes a name that a strategy could have of a file's.
func strategyName(file string) string {
	stem := strings.ToLower(strings.TrimSuffix(file, filepath.Ext(file)))
	name := foreign().ReplaceAllString(stem, "-")
	return name[:min(len(name), 40)]
}

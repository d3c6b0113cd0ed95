package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// sagasu is the module that the sdk is part of.
const sagasu = "github.com/sagasu-search/sagasu"

// goVersion is the version of the language that a module needs that is not built with a
// checkout.
const goVersion = "1.26.0"

// module makes go.mod, which go mod tidy fills, and for a checkout go.work: it builds with what the checkout requires
// and without any download, and its path stays on this machine.
func (o Options) module() ([]file, error) {
	version, dir := goVersion, ""
	if o.SDK != "" {
		var err error
		if dir, err = filepath.Abs(o.SDK); err != nil {
			return nil, err
		}
		if version, err = languageOf(dir); err != nil {
			return nil, err
		}
	}
	out := []file{{"go.mod", fmt.Appendf(nil, "module %s\n\ngo %s\n", o.Module(), version)}}
	if o.SDK == "" {
		return out, nil
	}
	work := fmt.Appendf(nil, "go %s\n\nuse (\n\t.\n\t%q\n)\n", version, filepath.ToSlash(dir))
	return append(out, file{"go.work", work}), nil
}

// statement matches the module and the version of the language in a go.mod, which is simpler than a package that edits
// them, and a hundred kilobytes smaller.
var statement = lazyregexp.New(`(?m)^(module|go)\s+"?([^\s"]+)`)

// languageOf returns the version of the language in the go.mod of a checkout of sagasu.
func languageOf(dir string) (version string, err error) {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", toolset.Errorf(toolset.NotFound, "%s is no checkout of sagasu: it has no go.mod", dir)
	}
	if err != nil {
		return "", err
	}
	said := map[string]string{}
	for _, m := range statement().FindAllSubmatch(data, -1) {
		said[string(m[1])] = string(m[2])
	}
	if said["module"] != sagasu || said["go"] == "" {
		return "", toolset.Errorf(toolset.InvalidParameter, "%s is no checkout of %s", dir, sagasu)
	}
	return said["go"], nil
}

package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
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
		checkout, err := readModule(dir)
		if err != nil {
			return nil, err
		}
		version = checkout.Go.Version
	}
	m := new(modfile.File)
	if err := errors.Join(m.AddModuleStmt(o.Module()), m.AddGoStmt(version)); err != nil {
		return nil, err
	}
	out := []file{{"go.mod", modfile.Format(m.Syntax)}}
	if o.SDK == "" {
		return out, nil
	}
	w := &modfile.WorkFile{Syntax: new(modfile.FileSyntax)}
	if err := errors.Join(w.AddGoStmt(version), w.AddUse(".", ""), w.AddUse(filepath.ToSlash(dir), "")); err != nil {
		return nil, fmt.Errorf("make go.work: %w", err)
	}
	return append(out, file{"go.work", modfile.Format(w.Syntax)}), nil
}

// readModule reads the go.mod of a checkout of sagasu.
func readModule(dir string) (*modfile.File, error) {
	path := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, toolset.Errorf(toolset.NotFound, "%s is no checkout of sagasu: it has no go.mod", dir)
	}
	if err != nil {
		return nil, err
	}
	m, err := modfile.ParseLax(path, data, nil)
	if err != nil {
		return nil, toolset.Errorf(toolset.InvalidParameter, "%v", err)
	}
	if m.Module == nil || m.Module.Mod.Path != sagasu || m.Go == nil {
		return nil, toolset.Errorf(toolset.InvalidParameter, "%s is no checkout of %s", dir, sagasu)
	}
	return m, nil
}

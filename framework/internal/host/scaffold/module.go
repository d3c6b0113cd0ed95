package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// sagasu is the module that the sdk is part of.
const sagasu = "github.com/sagasu-search/sagasu"

// goVersion is the version of the language that a module needs that is not built with a
// checkout.
const goVersion = "1.26.0"

// module makes go.mod and, for a checkout, go.sum: with what the checkout requires the
// module builds without any download.
func (o Options) module() ([]file, error) {
	m := new(modfile.File)
	if err := m.AddModuleStmt(o.Module()); err != nil {
		return nil, err
	}
	if o.SDK == "" {
		if err := m.AddGoStmt(goVersion); err != nil {
			return nil, err
		}
		return []file{{"go.mod", modfile.Format(m.Syntax)}}, nil
	}
	dir, err := filepath.Abs(o.SDK)
	if err != nil {
		return nil, err
	}
	checkout, err := readModule(dir)
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(filepath.Join(dir, "go.sum"))
	if err != nil {
		return nil, fmt.Errorf("read the checkout's go.sum: %w", err)
	}
	if err := require(m, checkout, dir); err != nil {
		return nil, err
	}
	return []file{{"go.mod", modfile.Format(m.Syntax)}, {"go.sum", sums}}, nil
}

// require makes m require the checkout in dir and what that requires.
func require(m, checkout *modfile.File, dir string) error {
	const unpublished = "v0.0.0"
	if err := m.AddGoStmt(checkout.Go.Version); err != nil {
		return err
	}
	if err := m.AddReplace(sagasu, "", dir, ""); err != nil {
		return err
	}
	all := []*modfile.Require{{Mod: module.Version{Path: sagasu, Version: unpublished}}}
	for _, r := range checkout.Require {
		all = append(all, &modfile.Require{Mod: r.Mod, Indirect: true})
	}
	m.SetRequireSeparateIndirect(all)
	m.Cleanup()
	return nil
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

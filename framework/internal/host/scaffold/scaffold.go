package scaffold

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"golang.org/x/mod/module"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/python"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// Options say what to write.
type Options struct {
	// Name is the strategy's: 1 to 40 lower-case letters, digits and '-', beginning and ending with a letter or a
	// digit, and no name that a system reserves, such as con.
	Name string
	// Taken are names of strategies that there are already.
	Taken []string
	// Dir is where the module goes: a directory that is empty, or that there is not yet.
	Dir string
	// SDK is a checkout of sagasu to build with, "" for the published module.
	SDK string
	// Template is what to begin with, one of [Templates].
	Template string
}

// Templates returns what a new strategy can begin with.
func Templates() []string {
	return []string{"retrieve", "rerank", "fuzzy", "features", "embedding", converterTemplate, pythonTemplate}
}

const (
	pythonTemplate    = "python"    // makes no Go module
	converterTemplate = "converter" // makes no strategy
)

// Converts reports whether a converter is made.
func (o Options) Converts() bool { return o.Template == converterTemplate }

// Part returns what is made in a word, which names its files.
func (o Options) Part() string {
	if o.Converts() {
		return "converter"
	}
	return "strategy"
}

// Kind says what the strategy is.
func (o Options) Kind() string {
	if o.Converts() {
		return "converter of documents"
	}
	if o.Template == "rerank" || o.Template == "features" {
		return "reranker"
	}
	return "retrieval strategy"
}

// Module returns the path of the module until its author chooses one.
func (o Options) Module() string { return "example.com/" + o.Name }

//go:embed templates
var templates embed.FS

// files returns what is made of templates: files and their templates.
func (o Options) files() [][2]string {
	if o.Template == pythonTemplate {
		return [][2]string{
			{"strategy.py", "strategy.py.tmpl"},
			{"README.md", "python.md.tmpl"},
			{".gitignore", "python_gitignore.tmpl"},
		}
	}
	return [][2]string{
		{"main.go", "main.go.tmpl"},
		{o.Part() + ".go", o.Template + ".go.tmpl"},
		{o.Part() + "_test.go", o.Template + "_test.go.tmpl"},
		{"README.md", "README.md.tmpl"},
		{".gitignore", "gitignore.tmpl"},
		{".github/workflows/test.yml", "test.yml.tmpl"},
		{".github/workflows/release.yml", "release.yml.tmpl"},
	}
}

// library returns the files that are copied: the library for Python.
func library() (out []file, err error) {
	entries, err := python.Files.ReadDir(".")
	for _, e := range entries {
		var data []byte
		if data, err = python.Files.ReadFile(e.Name()); err != nil {
			return nil, err
		}
		out = append(out, file{e.Name(), bytes.TrimRight(data, "\n")})
	}
	return out, err
}

// Write writes the module and returns its files, '/'-separated and relative to Options.Dir.
// When it fails nothing has changed; the error is a [*toolset.Error] where the caller can
// do something about it.
func Write(o Options) ([]string, error) {
	if err := checkName(o.Name); err != nil {
		return nil, err
	}
	if !slices.Contains(Templates(), o.Template) {
		err := toolset.Errorf(toolset.InvalidParameter, "there is no template %q; there are %s", o.Template,
			strings.Join(Templates(), ", "))
		return nil, err.With("did_you_mean", toolset.DidYouMean(o.Template, Templates(), 1))
	}
	if slices.Contains(o.Taken, o.Name) {
		return nil, toolset.Errorf(toolset.Conflict, "there is a strategy %s already: take another name", o.Name)
	}
	if err := vacant(o.Dir); err != nil {
		return nil, err
	}
	content, err := o.render()
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return nil, fmt.Errorf("make the directory: %w", err)
	}
	draft, err := os.MkdirTemp(filepath.Dir(dir), "."+o.Name+"-")
	if err != nil {
		return nil, fmt.Errorf("make the directory: %w", err)
	}
	names, err := fill(draft, content)
	if err == nil {
		err = place(draft, dir)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(draft))
	}
	return names, nil
}

// file is one to be written.
type file struct {
	name    string
	content []byte
}

// render makes the content of all files.
func (o Options) render() ([]file, error) {
	begin := o.module
	if o.Template == pythonTemplate {
		begin = library
	}
	out, err := begin()
	if err != nil {
		return nil, err
	}
	parsed, err := template.ParseFS(templates, "templates/*.tmpl")
	if err != nil {
		return nil, err
	}
	for _, f := range o.files() {
		var b bytes.Buffer
		if err := parsed.ExecuteTemplate(&b, f[1], o); err != nil {
			return nil, err
		}
		out = append(out, file{f[0], bytes.TrimRight(b.Bytes(), "\n")})
	}
	return out, nil
}

// vacant checks that nothing is lost where a module is to be.
func vacant(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return nil
	case err == nil:
		return toolset.Errorf(toolset.Conflict, "%s is not empty: it holds %s", dir, entries[0].Name())
	}
	return toolset.Errorf(toolset.InvalidParameter, "a module cannot be made at %s: %v", dir, err)
}

// fill writes the files into an empty directory.
func fill(dir string, files []file) ([]string, error) {
	var names []string
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, append(f.content, '\n'), 0o666); err != nil {
			return nil, err
		}
		names = append(names, f.name)
	}
	return names, nil
}

// place moves a directory to where there is none, or an empty one.
func place(draft, dir string) error {
	if err := os.Chmod(draft, 0o755); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(draft, dir)
}

// checkName reports why name cannot be that of a new strategy, as a [*toolset.Error].
func checkName(name string) error {
	if !valid(name) {
		err := toolset.Errorf(toolset.InvalidParameter,
			"%q cannot be the name of a strategy: it takes 1 to 40 lower-case letters, digits and '-', with a letter "+
				"or a digit at both ends", name)
		if near := tidy(name); valid(near) {
			return err.With("did_you_mean", []string{near})
		}
		return err
	}
	if err := module.CheckImportPath("example.com/" + name); err != nil {
		return toolset.Errorf(toolset.InvalidParameter, "%q cannot be the name of a strategy: %v", name,
			cmp.Or(errors.Unwrap(err), err))
	}
	return nil
}

func valid(name string) bool { return border.IsName(name) && strings.Trim(name, "-") == name }

// tidy makes of a name what is most like it and made of the right characters.
func tidy(name string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r == '-', r == '_', r == ' ', r == '.':
			return '-'
		}
		return -1
	}, strings.ToLower(name))
	return strings.Trim(kept[:min(len(kept), 40)], "-")
}

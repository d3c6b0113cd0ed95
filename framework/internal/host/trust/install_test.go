package trust

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
)

// installerFor installs for a user without anything, whose strategies call themselves
// what their executable holds.
func installerFor(t *testing.T) *Installer {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the executables of this test are known by their mode")
	}
	home := t.TempDir()
	return &Installer{
		ConfigHome: filepath.Join(home, "config"), Store: filepath.Join(home, "store"), Reserved: []string{"loose"},
		Probe: func(_ context.Context, e host.Entry) (host.Said, error) {
			src, err := os.ReadFile(e.Path)
			name, _, _ := strings.Cut(string(src), " ")
			if err == nil && name == "broken" {
				err = errors.New("on purpose")
			}
			return host.Said{Description: sdk.Description{Name: name, Version: "1", Stage: sdk.StageRetrieve, Weight: 1}}, err
		},
	}
}

func program(t *testing.T, dir, file, text string) string {
	t.Helper()
	path := filepath.Join(dir, file)
	must(t, os.WriteFile(path, []byte(text), 0o700))
	return path
}

func stored(t *testing.T, i *Installer) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(i.Store, "*", "*"))
	must(t, err)
	left, err := filepath.Glob(filepath.Join(i.Store, ".*"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return files
}

func TestInstallReplaceRemove(t *testing.T) {
	i := installerFor(t)
	path := program(t, t.TempDir(), "mine.bin", "mine 1")
	p, err := i.Install(t.Context(), Request{Source: path, Args: []string{"-x"}, Grants: host.Grants{Network: []string{"tcp:80"}}})
	must(t, err)
	if p.Name != "mine" || p.Source != path || len(p.Network) != 1 || p.Args[0] != "-x" {
		t.Errorf("%+v", p)
	}
	if c, err := p.Condition(); c != Intact || err != nil {
		t.Errorf("%v, %v", c, err)
	}
	if diff := cmp.Diff([]string{p.Path}, stored(t, i)); diff != "" {
		t.Error(diff)
	}
	program(t, filepath.Dir(path), "mine.bin", "mine 2")
	next, err := i.Install(t.Context(), Request{Source: path})
	must(t, err)
	if len(next.Network) > 0 {
		t.Error("a grant was kept that nobody gave again")
	}
	if diff := cmp.Diff([]string{next.Path}, stored(t, i)); diff != "" {
		t.Error(diff)
	}
	if c, _ := p.Condition(); c != Missing {
		t.Errorf("the first is %s", c)
	}
	program(t, filepath.Dir(next.Path), "mine.bin", "mine 3")
	if c, _ := next.Condition(); c != Changed {
		t.Errorf("the changed one is %s", c)
	}
	gone, err := i.Remove(t.Context(), "mine")
	must(t, err)
	if gone.Path != next.Path || len(stored(t, i)) > 0 {
		t.Errorf("removed %s, left %v", gone.Path, stored(t, i))
	}
	if _, err := i.Remove(t.Context(), "mine"); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("removed twice: %v", err)
	}
}

func TestListsOfAnEntryAreNeverNull(t *testing.T) {
	i := installerFor(t)
	p, err := i.Install(t.Context(), Request{Source: program(t, t.TempDir(), "mine", "mine 1")})
	must(t, err)
	read, err := Read(i.ConfigHome)
	must(t, err)
	for name, entry := range map[string]any{"installed": p, "read": read} {
		if raw, err := json.Marshal(entry); err != nil || bytes.Contains(raw, []byte("null")) {
			t.Errorf("%s: %s, %v", name, raw, err)
		}
	}
}

func TestNothingIsInstalled(t *testing.T) {
	i := installerFor(t)
	dir := t.TempDir()
	_, err := i.Install(t.Context(), Request{Source: program(t, dir, "first", "mine")})
	must(t, err)
	before := stored(t, i)
	plain := filepath.Join(dir, "plain")
	must(t, os.WriteFile(plain, nil, 0o600))
	for source, want := range map[string]string{
		program(t, dir, "takes", "loose"):                "is bundled",
		program(t, dir, "second", "mine 2"):              "mine is installed from",
		program(t, dir, "broken", "broken"):              "does not start as a strategy or a converter: on purpose",
		program(t, dir, "odd", "Not A Name"):             "strategy name",
		program(t, dir, "script", "#!/does/not/exist\n"): "the interpreter",
		filepath.Join(dir, "none"):                       "there is no file or folder ",
		plain:                                            "is not an executable file",
		dir:                                              "go list",
	} {
		if _, err := i.Install(t.Context(), Request{Source: source}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
	if _, err := i.Install(t.Context(), Request{Source: program(t, dir, "x", "x"), Grants: host.Grants{Network: []string{"all"}}}); err == nil {
		t.Error("a grant that is none was taken")
	}
	if diff := cmp.Diff(before, stored(t, i)); diff != "" {
		t.Error(diff)
	}
}

func TestADamagedLockIsToldBeforeAnythingRuns(t *testing.T) {
	i := installerFor(t)
	must(t, os.MkdirAll(i.ConfigHome, 0o700))
	program(t, i.ConfigHome, FileName, "[[plugin")
	i.Probe = func(context.Context, host.Entry) (host.Said, error) {
		t.Error("the executable was started")
		return host.Said{}, nil
	}
	_, err := i.Install(t.Context(), Request{Source: program(t, t.TempDir(), "mine", "mine")})
	if err == nil || !strings.Contains(err.Error(), FileName) {
		t.Errorf("%v, want the name of the lock", err)
	}
}

func TestPluginPath(t *testing.T) {
	i := installerFor(t)
	dir := t.TempDir()
	i.Folders = []string{filepath.Join(dir, "none"), dir}
	path := program(t, dir, "My Strategy.v2", "mine")
	program(t, dir, ".hidden", "x")
	must(t, os.WriteFile(filepath.Join(dir, "README"), nil, 0o600))
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	want := []Uninstalled{{"my-strategy", path}}
	found, err := FindUninstalled(i.Folders, nil)
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), i.Folders[0]) {
		t.Errorf("%v, want the name of the missing folder", err)
	}
	p, err := i.Install(t.Context(), Request{Source: path})
	must(t, err)
	if p.Path != path || len(stored(t, i)) > 0 {
		t.Errorf("it was moved to %s", p.Path)
	}
	if left, _ := FindUninstalled(i.Folders, []Plugin{*p}); len(left) > 0 {
		t.Errorf("still stray: %v", left)
	}
	_, err = i.Remove(t.Context(), "mine")
	must(t, err)
	if _, err := os.Stat(path); err != nil {
		t.Error("the user's own file was removed")
	}
}

func TestExecutableThatNeverSaysWhatItIs(t *testing.T) {
	i := installerFor(t)
	path := program(t, t.TempDir(), "mine", "mine")
	synctest.Test(t, func(t *testing.T) {
		i.Probe = func(ctx context.Context, _ host.Entry) (host.Said, error) {
			<-ctx.Done()
			return host.Said{}, ctx.Err()
		}
		if _, err := i.Install(t.Context(), Request{Source: path}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("it gave %v", err)
		}
	})
}

func TestInterpreters(t *testing.T) {
	dir := t.TempDir()
	shell, err := filepath.EvalSymlinks("/bin/sh")
	if err != nil {
		t.Skip("no shell to be an interpreter")
	}
	for text, want := range map[string]string{
		"\x7fELF":                         "",
		"":                                "",
		"#!\n":                            "",
		"#!/bin/sh\n":                     shell,
		"#! /bin/sh -e\nx":                shell,
		"#!/usr/bin/env sh\n":             shell,
		"#!/usr/bin/env -S sh -e\n":       shell,
		"#!/usr/bin/env -S LANG=C sh x\n": shell,
	} {
		got, err := interpreters(program(t, dir, "script", text))
		must(t, err)
		if (want == "") != (len(got) == 0) || want != "" && !strings.Contains(strings.Join(got, " ")+" ", want+" ") {
			t.Errorf("%q: %v", text, got)
		}
	}
	if _, err := interpreters(program(t, dir, "script", "#!/usr/bin/env no-such-interpreter\n")); err == nil {
		t.Error("an interpreter that is not there was found")
	}
}

func TestBuild(t *testing.T) {
	dir, into := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/tiny\n\ngo 1.26\n"), 0o600))
	source := filepath.Join(dir, "main.go")
	must(t, os.WriteFile(source, []byte("package tiny\n"), 0o600))
	if err := Build(t.Context(), dir, into); err == nil || !strings.Contains(err.Error(), "the package tiny, which is no program") {
		t.Errorf("a library gave %v", err)
	}
	must(t, os.WriteFile(source, []byte("package main\n\nfunc main() { nothing }\n"), 0o600))
	if err := Build(t.Context(), dir, into); err == nil || !strings.Contains(err.Error(), "undefined: nothing") {
		t.Errorf("a mistake gave %v", err)
	}
	must(t, os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600))
	must(t, Build(t.Context(), dir, into))
	if files, err := os.ReadDir(into); err != nil || len(files) != 1 || !strings.HasPrefix(files[0].Name(), "tiny") {
		t.Errorf("built %v, %v", files, err)
	}
	t.Setenv("PATH", t.TempDir())
	if err := Build(t.Context(), dir, into); err == nil || !strings.Contains(err.Error(), "go.dev/dl") {
		t.Errorf("without Go: %v", err)
	}
}

func TestSameExecutableByAnotherName(t *testing.T) {
	i := installerFor(t)
	dir := t.TempDir()
	_, err := i.Install(t.Context(), Request{Source: program(t, dir, "mine-1.0", "mine")})
	must(t, err)
	p, err := i.Install(t.Context(), Request{Source: program(t, dir, "mine-1.1", "mine"), Name: "mine"})
	must(t, err)
	if c, err := p.Condition(); c != Intact || err != nil {
		t.Errorf("replaced by itself, it is %s, %v", c, err)
	}
	_, err = i.Remove(t.Context(), "mine")
	must(t, err)
	if left := stored(t, i); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestStampFollowsALinkToAFolder(t *testing.T) {
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	before := Stamp(link)
	program(t, dir, "main.go", "package main\n")
	if Stamp(link) == before {
		t.Error("a new file in the folder changes nothing")
	}
}

package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// settle writes files into the workspace.
func (b *bench) settle(files ...string) {
	for _, name := range files {
		b.write(filepath.Join(b.root, name), "# x\n")
	}
}

func TestOverlapsStopTheStart(t *testing.T) {
	const manual = "manuals/m/a.md"
	both := []string{"VAULT_ROOT", "MANUALS_ROOT"}
	inIndex := filepath.Join(".cache", "sagasu", "index", "v")
	cases := []struct {
		name, file string
		guest      string
		env        map[string]string // below the root
		manuals    string            // --manuals
		link       string            // in the workspace, to manuals
		want       []string
	}{
		{name: "the vault is the manuals", file: manual, guest: `vault_root = "manuals"`, want: both},
		{name: "manuals to come", file: "x.md", guest: `vault_root = "manuals"`, want: both},
		{name: "in the manuals", file: manual, guest: `vault_root = "manuals/v"`, want: both},
		{name: "around the manuals", file: manual, guest: `vault_root = "."`, want: both},
		{name: "in other letters", file: manual, guest: `vault_root = "MANUALS/v"`, want: both},
		{name: "decomposed", file: "がい/m/a.md", guest: "vault_root = \"か\u3099い\"\nmanuals_root = \"がい\"",
			want: both},
		{name: "by a link", file: manual, guest: `vault_root = "link/v"`, link: "link", want: both},
		{name: "the default is a link", file: manual, link: "vault", want: both},
		{name: "both named", file: manual, guest: "vault_root = \"manuals/m\"\nmanuals_root = \"manuals\"",
			want: both},
		{name: "a named vault in --manuals", file: "docs/a.md", manuals: "docs", guest: `vault_root = "docs/v"`,
			want: []string{"VAULT_ROOT", "--manuals"}},
		{name: "publications in the vault", file: "v/p.jsonl",
			guest: "vault_root = \"v\"\npublications_root = \"v/p.jsonl\"",
			want:  []string{"VAULT_ROOT", "PUBLICATIONS_ROOT"}},
		{name: "publications around manuals", file: manual, guest: `publications_root = "."`,
			want: []string{"MANUALS_ROOT", "PUBLICATIONS_ROOT"}},
		{name: "the index in the vault", file: manual,
			env:  map[string]string{"SAGASU_CACHE_DIR": "vault"},
			want: []string{"VAULT_ROOT", "SAGASU_CACHE_DIR"}},
		{name: "the index in the manuals", file: manual, env: map[string]string{"SAGASU_CACHE_DIR": "manuals/c"},
			want: []string{"MANUALS_ROOT", "SAGASU_CACHE_DIR"}},
		{name: "the vault in the index", file: manual, want: []string{"VAULT_ROOT", "SAGASU_CACHE_DIR"},
			env: map[string]string{"SAGASU_CACHE_DIR": filepath.Join(".cache", "sagasu"), "VAULT_ROOT": inIndex}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.settle(c.file)
			b.guest(c.guest)
			for name, value := range c.env {
				b.env[name] = filepath.Join(b.root, value)
			}
			if c.manuals != "" {
				b.flags.Manuals = []string{c.manuals}
			}
			if c.link != "" {
				if err := os.Symlink("manuals", filepath.Join(b.root, c.link)); err != nil {
					t.Skip("no symbolic links here:", err)
				}
			}
			_, err := b.load()
			if err == nil {
				t.Fatal("accepted")
			}
			for _, name := range c.want {
				if line := err.Error(); !strings.Contains(line, name) || strings.Contains(line, "\n") {
					t.Errorf("%q does not name %s in one line", line, name)
				}
			}
		})
	}
}

// Written places must not be where programs keep what they run.
func TestWrittenRootsStopTheStart(t *testing.T) {
	for name, c := range map[string]struct {
		guest, env, flag string // of VAULT_ROOT; env and flag below the workspace
		link             string // target of vault
		fits             bool
	}{
		"git":                       {guest: `vault_root = ".git"`},
		"in git":                    {guest: `vault_root = ".git/hooks"`},
		"git in other letters":      {guest: `vault_root = ".GIT"`},
		"git of another repository": {guest: `vault_root = "sub/.git"`},
		"git by detour":             {guest: `vault_root = ".git/../.git"`},
		"git by the user":           {env: ".git"},
		"git by flag":               {flag: ".git/x"},
		"a link to git":             {link: ".git"},
		"hidden":                    {guest: `vault_root = ".vscode"`},
		"in hidden":                 {guest: `vault_root = ".github/workflows"`},
		"a link to hidden":          {link: ".vscode"},
		"hidden by the user":        {env: ".notes", fits: true},
		"a link to a folder":        {link: "notes", fits: true},
		"a usual name":              {guest: `vault_root = "notes.d/a.b"`, fits: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.settle("manuals/m/a.md", ".git/x", ".vscode/x", "notes/x")
			b.guest(c.guest)
			if c.env != "" {
				b.env["VAULT_ROOT"] = filepath.Join(b.root, c.env)
			}
			if c.flag != "" {
				b.flags.Values = map[string]string{"VAULT_ROOT": filepath.Join(b.root, c.flag)}
			}
			if c.link != "" {
				if err := os.Symlink(c.link, filepath.Join(b.root, "vault")); err != nil {
					t.Skip("no symbolic links here:", err)
				}
			}
			_, err := b.load()
			if c.fits && err != nil || !c.fits && (err == nil || !strings.Contains(err.Error(), "VAULT_ROOT") || strings.Contains(err.Error(), "\n")) {
				t.Errorf("%v", err)
			}
		})
	}
}

// A default vault gives way to manuals that the user named: it is off.
func TestTheDefaultVaultGivesWay(t *testing.T) {
	for name, c := range map[string]struct{ guest, manuals string }{
		"--manuals the workspace":    {manuals: "."},
		"manuals_root the workspace": {guest: `manuals_root = "."`},
		"--manuals the vault":        {manuals: "vault"},
		"--manuals in the vault":     {manuals: "vault/notes"},
		"publications":               {guest: `publications_root = "vault"`},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.settle("a.md", "vault/a.md", "vault/notes/a.md", "vault/.system/x", "manuals.md")
			b.guest(c.guest)
			if c.manuals != "" {
				b.flags.Manuals = []string{c.manuals}
			}
			w := b.mustLoad()
			if err := vault.Problem(w); err == nil || !strings.Contains(err.Error(), "--vault-root") {
				t.Errorf("the vault is on: %v", err)
			}
			if vault.Definition().Active(w) {
				t.Error("the tools of the vault are on")
			}
			if dir, _ := vault.StatsFile(w); dir != w.StateHome {
				t.Errorf("statistics go to %s", dir)
			}
			b.env["TOOLSETS"] = "manual,vault"
			if _, err := b.load(); err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("tools for a vault that is off: %v", err)
			}
		})
	}
}

func TestWhatDoesNotOverlapStarts(t *testing.T) {
	for name, c := range map[string]struct {
		file, guest, manuals string
		vault                bool
	}{
		"defaults":                           {file: "manuals/m/a.md", vault: true},
		"a name that begins alike":           {file: "manuals/m/a.md", guest: `vault_root = "manuals-2"`, vault: true},
		"no manuals, the workspace as vault": {file: "a.md", guest: `vault_root = "."`, vault: true},
		"the home folder, with the cache":    {file: "a.md", manuals: "home"},
		"manuals beside the vault":           {file: "docs/a.md", manuals: "docs", vault: true},
		"publications among manuals":         {file: "publications/a.jsonl", manuals: "."},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.settle(c.file)
			b.guest(c.guest)
			switch c.manuals {
			case "":
			case "home":
				b.flags.Manuals = []string{b.home}
				b.env["VAULT_ROOT"] = filepath.Join(b.root, "v")
			default:
				b.flags.Manuals = []string{c.manuals}
			}
			w := b.mustLoad()
			if err := vault.Problem(w); c.vault && err != nil {
				t.Error(err)
			}
			if want := strings.HasPrefix(c.file, "publications"); patents.Definition().Active(w) != want {
				t.Errorf("publications: %t", !want)
			}
		})
	}
}

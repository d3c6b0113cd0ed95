package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/git"
)

// repository is a git repository in a new folder.
type repository struct {
	t   *testing.T
	dir string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	r := repository{t, t.TempDir()}
	r.git("init", "-q")
	return r
}

func (r repository) git(args ...string) {
	r.t.Helper()
	r.gitAt("2024-01-01T00:00:00Z", args...)
}

func (r repository) gitAt(date string, args ...string) {
	r.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", r.dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r repository) write(name, text string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(r.dir, name)), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r repository) commit(date, name, text string) {
	r.t.Helper()
	r.write(name, text)
	r.git("add", "-f", name)
	r.gitAt(date, "commit", "-q", "-m", "m")
}

// ages returns the lines' years, "new" for uncommitted and "?" for unknown ones.
func (r repository) ages(name, src string) string {
	r.t.Helper()
	h, err := git.Open(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	defer h.Close()
	lines, err := h.Lines(r.t.Context(), name, src)
	if err != nil {
		r.t.Fatal(err)
	}
	years := []string{}
	for _, l := range lines {
		switch {
		case !l.Known:
			years = append(years, "?")
		case l.Written.IsZero():
			years = append(years, "new")
		default:
			years = append(years, l.Written.Format("2006"))
		}
	}
	return strings.Join(years, " ")
}

func TestLines(t *testing.T) {
	r := newRepository(t)
	r.commit("2021-05-05T00:00:00Z", "sub/a b.go", "one\ntwo\nthree\n")
	r.commit("2023-05-05T00:00:00Z", "sub/a b.go", "one\n2\nthree\nfour\n")
	for src, want := range map[string]string{
		"one\n2\nthree\nfour\n":                 "2021 2023 2021 2023",
		"one\r\n2\r\nthree\r\nfour\r\n":         "2021 2023 2021 2023",
		"zero\none\n2\nthree\nfour\n":           "new 2021 2023 2021 2023",
		"one\nfour\n2\nthree":                   "2021 2023 2023 2021",
		"2\n2\n":                                "new new",
		"one\nother\nthree\nmore\nfour\nlast\n": "2021 new 2021 new 2023 new",
		"":                                      "new",
	} {
		if got := r.ages("sub/a b.go", src); got != want {
			t.Errorf("%q: %s, want %s", src, got, want)
		}
	}
	h, err := git.Open(filepath.Join(r.dir, "sub"))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if lines, err := h.Lines(t.Context(), "a b.go", "one\n"); err != nil || !lines[0].Written.Equal(time.Date(2021, 5, 5, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("below the repository: %v, %v", lines, err)
	}
	for _, name := range []string{"none.go", "--help", ":(glob)**"} {
		if lines, err := h.Lines(t.Context(), name, "x\n"); err == nil {
			t.Errorf("%s, which is not committed, has ages: %v", name, lines)
		}
	}
}

func TestNoHistory(t *testing.T) {
	newRepository(t)
	if _, err := git.Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("outside of a repository: %v", err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := git.Open(t.TempDir()); err == nil || err.Error() != "git is not installed" {
		t.Errorf("without git: %v", err)
	}
}

// Lines beyond the history of a shallow clone do not count as new.
func TestShallowClone(t *testing.T) {
	r := newRepository(t)
	r.commit("2021-05-05T00:00:00Z", "a.go", "one\n")
	r.commit("2022-05-05T00:00:00Z", "a.go", "one\ntwo\n")
	r.commit("2023-05-05T00:00:00Z", "a.go", "one\ntwo\nthree\n")
	clone := repository{t, t.TempDir()}
	clone.git("clone", "-q", "--depth=2", "file://"+filepath.ToSlash(r.dir), ".")
	if got := clone.ages("a.go", "one\ntwo\nthree\n"); got != "? ? 2023" {
		t.Error(got)
	}
}

// A stranger's folder configures commands wherever git might run one.
func TestNothingOfTheFolderRuns(t *testing.T) {
	r := newRepository(t)
	r.commit("2021-05-05T00:00:00Z", "a.go", "one\ntwo\n")
	ran := filepath.Join(t.TempDir(), "ran")
	evil := "touch '" + filepath.ToSlash(ran) + "'; cat"
	for name, command := range map[string]string{
		"core.fsmonitor": evil, "core.pager": evil, "pager.blame": evil, "core.editor": evil, "core.askPass": evil, "core.sshCommand": evil, "diff.external": evil,
		"filter.x.clean": evil, "filter.x.smudge": evil, "filter.x.process": evil, "filter.x.required": "true", "diff.x.textconv": evil, "diff.x.command": evil,
		"credential.helper": "!" + evil, "gpg.program": evil, "log.showSignature": "true", "core.hooksPath": filepath.Join(r.dir, "hooks"), "alias.blame": "!" + evil,
		"alias.rev-parse": "!" + evil, "core.alternateRefsCommand": evil, "protocol.ext.allow": "always", "remote.origin.url": "ext::sh -c touch% " + filepath.ToSlash(ran),
		"remote.origin.promisor": "true", "extensions.partialClone": "origin", "remote.origin.uploadpack": evil, "core.repositoryFormatVersion": "1",
	} {
		r.git("config", name, command)
	}
	r.write(".gitattributes", "* filter=x diff=x\n")
	r.write(".git/info/attributes", "* filter=x diff=x\n")
	for _, hook := range []string{"post-index-change", "pre-auto-gc", "reference-transaction", "fsmonitor-watchman"} {
		r.write("hooks/"+hook, "#!/bin/sh\n"+evil+"\n")
		r.write(".git/hooks/"+hook, "#!/bin/sh\n"+evil+"\n")
		_ = os.Chmod(filepath.Join(r.dir, "hooks", hook), 0o755)
		_ = os.Chmod(filepath.Join(r.dir, ".git", "hooks", hook), 0o755)
	}
	if got := r.ages("a.go", "one\n2\n"); got != "2021 new" {
		t.Error(got)
	}
	objects, err := filepath.Glob(filepath.Join(r.dir, ".git", "objects", "??", "*"))
	if err != nil || len(objects) == 0 {
		t.Fatal(objects, err)
	}
	for _, object := range objects { // missing objects are not fetched
		if err := os.Remove(object); err != nil {
			t.Fatal(err)
		}
	}
	if h, err := git.Open(r.dir); err == nil {
		defer h.Close()
		if lines, err := h.Lines(t.Context(), "a.go", "one\n"); err == nil {
			t.Errorf("a history without objects has ages: %v", lines)
		}
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a command of the folder ran")
	}
}

// The caller's environment neither selects another repository nor reaches git.
func TestEnvironment(t *testing.T) {
	r, other := newRepository(t), newRepository(t)
	r.commit("2021-05-05T00:00:00Z", "a.go", "one\n")
	other.commit("2022-05-05T00:00:00Z", "a.go", "one\n")
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_WORK_TREE", other.dir)
	if diff := cmp.Diff("2021", r.ages("a.go", "one\n")); diff != "" {
		t.Error(diff)
	}
}

// Repositories store HEAD and their objects in several ways.
func TestKindsOfRepositories(t *testing.T) {
	r := newRepository(t)
	r.commit("2021-05-05T00:00:00Z", "a.go", "one\n")
	check := func(kind string, r repository) {
		t.Helper()
		if got := r.ages("a.go", "one\ntwo\n"); got != "2021 new" {
			t.Errorf("%s: %s", kind, got)
		}
	}
	r.git("pack-refs", "--all")
	check("packed references", r)
	linked := repository{t, filepath.Join(t.TempDir(), "linked")}
	r.git("worktree", "add", "-q", "-b", "topic", linked.dir)
	check("linked work tree", linked)
	clone := repository{t, t.TempDir()}
	clone.git("clone", "-q", "--shared", r.dir, ".")
	check("borrowed objects", clone)
	clone.git("checkout", "-q", "--detach")
	check("detached", clone)
	sha256 := repository{t, t.TempDir()}
	sha256.git("init", "-q", "--object-format=sha256")
	sha256.commit("2021-05-05T00:00:00Z", "a.go", "one\n")
	check("SHA-256", sha256)
	empty := newRepository(t)
	if _, err := git.Open(empty.dir); err == nil || !strings.Contains(err.Error(), "no commit") {
		t.Errorf("without a commit: %v", err)
	}
}

// A stranger's repository does not make git wait for special files.
func TestHostileRepository(t *testing.T) {
	pipe := func(t *testing.T, path string) {
		t.Helper()
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("mkfifo", path).CombinedOutput(); err != nil {
			t.Skipf("no pipes here: %s", out)
		}
	}
	for name, harm := range map[string]func(t *testing.T, r repository){
		"ignoreRevsFile": func(_ *testing.T, r repository) { r.git("config", "blame.ignoreRevsFile", "/dev/zero") },
		"mailmap": func(t *testing.T, r repository) {
			pipe(t, filepath.Join(r.dir, "map"))
			r.git("config", "mailmap.file", filepath.Join(r.dir, "map"))
		},
		".mailmap":        func(t *testing.T, r repository) { pipe(t, filepath.Join(r.dir, ".mailmap")) },
		"config":          func(t *testing.T, r repository) { pipe(t, filepath.Join(r.dir, ".git", "config")) },
		"info/attributes": func(t *testing.T, r repository) { pipe(t, filepath.Join(r.dir, ".git", "info", "attributes")) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			r.commit("2021-05-05T00:00:00Z", "a.go", "one\n")
			harm(t, r)
			if got := r.ages("a.go", "one\ntwo\n"); got != "2021 new" {
				t.Error(got)
			}
		})
	}
	for _, name := range []string{"HEAD", "shallow", "commondir", "packed-refs", "objects/info/alternates", "objects/pack/a.idx"} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t)
			r.commit("2021-05-05T00:00:00Z", "a.go", "one\n")
			r.git("pack-refs", "--all")
			pipe(t, filepath.Join(r.dir, ".git", filepath.FromSlash(name)))
			h, err := git.Open(r.dir)
			if err == nil {
				h.Close()
				t.Error("a pipe was read")
			}
		})
	}
}

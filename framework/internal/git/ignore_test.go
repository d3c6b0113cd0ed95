package git_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/git"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
)

// Ignores matches what git itself ignores.
func TestIgnoresLikeGit(t *testing.T) {
	r := newRepository(t)
	r.write(".gitignore", "*.log\n!keep.log\n/top\nfolder/\na/*/deep\n# comment\n\\#hash\nspace \n{x,y}\n**/any\n[ab].c\n")
	r.write("sub/.gitignore", "\ufeff*.tmp\r\n!a.log\nonly/here\n")
	r.write("sub{1,2}/.gitignore", "x\n")
	root, err := rootfs.Open(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	ignores := git.NewIgnores(root)
	for _, name := range []string{
		"x.log", "keep.log", "top", "sub/top", "folder", "a/b/deep", "a/b/c/deep", "#hash", "# comment", "space", "{x,y}", "x", "y", "q/any", "any", "b.c", "c.c",
		"sub/x.tmp", "sub/a.log", "sub/b.log", "sub/only/here", "sub/q/only/here", "sub{1,2}/x", "sub1/x",
	} {
		err := exec.Command("git", "-C", r.dir, "-c", "core.excludesFile="+os.DevNull, "check-ignore", "-q", "--no-index", name).Run()
		if got, want := ignores.Match(name, false), err == nil; got != want {
			t.Errorf("%s is ignored: %v, by git: %v", name, got, want)
		}
	}
	if !ignores.Match("folder", true) || ignores.Match("folders", true) {
		t.Error("a pattern of folders does not match folders alone")
	}
}

package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

const (
	sha256Digits = 64
	// maxGitFile is the maximum number of bytes that are read of a file in a repository.
	maxGitFile = 64 << 20
	// maxRefs is the maximum number of references from HEAD to a commit.
	maxRefs = 5
)

// layout is what is read of a git repository without git. gitrepository-layout(5) describes the files.
type layout struct {
	head    string // the last commit, in hexadecimal
	objects string // the folder of objects
	shallow []byte // the commits without their parents
	index   string // the file that lists tracked files
	prefix  string // of the folder below the work tree, "" or ending in a slash
}

// findRepository reads the repository that contains a folder.
func findRepository(dir string) (*layout, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	for top := dir; ; top = filepath.Dir(top) {
		info, err := os.Lstat(filepath.Join(top, ".git"))
		if err == nil && (info.IsDir() || info.Mode().IsRegular()) {
			return readRepository(top, dir, info.IsDir())
		}
		if top == filepath.Dir(top) {
			return nil, errors.New("not a git repository, nor is a folder above it")
		}
	}
}

// readRepository reads the repository of a work tree. isDir is false if .git is a file that names the folder, as in
// linked work trees and submodules.
func readRepository(top, dir string, isDir bool) (*layout, error) {
	git := filepath.Join(top, ".git")
	if !isDir {
		link, err := readLine(top, ".git")
		if err != nil {
			return nil, err
		}
		git = below(top, strings.TrimPrefix(link, "gitdir: "))
	}
	common := git
	if link, err := readLine(git, "commondir"); err == nil {
		common = below(git, link)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	head, err := resolve(git, common)
	if err != nil {
		return nil, err
	}
	r := &layout{head: head, objects: filepath.Join(common, "objects"),
		index: filepath.Join(git, "index")}
	if err := onlyFiles(r.objects); err != nil {
		return nil, err
	}
	if r.shallow, err = readFile(common, "shallow"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	rel, err := filepath.Rel(top, dir)
	if err != nil {
		return nil, err
	}
	if rel != "." {
		r.prefix = filepath.ToSlash(rel) + "/"
	}
	return r, nil
}

// below resolves a path that may be relative to a folder.
func below(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

var (
	commitID = lazyregexp.New(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	refName  = lazyregexp.New(`^refs(/[^/.\x00-\x20\x7f][^/\x00-\x20\x7f]*)+$`)
)

// resolve returns the commit of HEAD.
func resolve(git, common string) (string, error) {
	name, dir := "HEAD", git
	for range maxRefs {
		value, err := readLine(dir, name)
		if errors.Is(err, fs.ErrNotExist) && name != "HEAD" {
			return packed(common, name)
		}
		if err != nil {
			return "", err
		}
		if commitID().MatchString(value) {
			return value, nil
		}
		next, ok := strings.CutPrefix(value, "ref: ")
		if !ok || !refName().MatchString(next) || strings.Contains(next, "..") {
			return "", errors.New("its references are kept in a form that is not read here")
		}
		name, dir = next, common
	}
	return "", errors.New("its references lead nowhere")
}

// packed finds a reference in the packed ones.
func packed(common, name string) (string, error) {
	in, err := openFile(common, "packed-refs")
	if errors.Is(err, fs.ErrNotExist) {
		return "", errors.New("there is no commit yet")
	}
	if err != nil {
		return "", err
	}
	defer in.Close()
	lines := bufio.NewScanner(io.LimitReader(in, maxGitFile))
	for lines.Scan() {
		if id, ref, ok := strings.Cut(lines.Text(), " "); ok && ref == name && commitID().MatchString(id) {
			return id, nil
		}
	}
	return "", errors.Join(errors.New("there is no commit yet"), lines.Err())
}

// onlyFiles fails if the folders of an object store contain anything but files and folders, such as a pipe, on which
// git would wait.
func onlyFiles(objects string) error {
	if strings.ContainsAny(objects, "\n") || strings.HasPrefix(objects, `"`) {
		return errors.New("the path of its objects holds a line break")
	}
	for _, dir := range []string{"info", "pack"} {
		entries, err := os.ReadDir(filepath.Join(objects, dir))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, e := range entries {
			if !e.Type().IsRegular() && !e.IsDir() {
				return fmt.Errorf("objects/%s/%s is no file", dir, e.Name())
			}
		}
	}
	return nil
}

// openFile opens a regular file of a repository. It never waits for a pipe.
func openFile(dir, name string) (io.ReadCloser, error) {
	root, err := rootfs.Open(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if _, err := root.Dir().Lstat(filepath.FromSlash(name)); err != nil {
		return nil, err
	}
	return root.Open(name)
}

func readFile(dir, name string) ([]byte, error) {
	in, err := openFile(dir, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, maxGitFile))
}

// readLine returns the only line of a file.
func readLine(dir, name string) (string, error) {
	text, err := readFile(dir, name)
	return strings.TrimRight(string(text), "\r\n"), err
}

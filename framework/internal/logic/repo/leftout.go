package repo

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// The reasons for which a file is left out by its path.
const (
	Ignored   = "ignored by git"
	Archived  = "archived change"
	Test      = "test"
	Vendored  = "vendored"
	Generated = "generated"
	Lock      = "lock file"
	Binary    = "binary"
	Hidden    = "hidden"
	Link      = "symbolic link"
)

// folders are left out of code whole.
var folders = map[string]string{
	"node_modules": Vendored, "vendor": Vendored, "third_party": Vendored, "bower_components": Vendored,
	"site-packages": Vendored, "venv": Vendored, "virtualenv": Vendored, "Pods": Vendored, "test": Test,
	"tests": Test, "Test": Test, "Tests": Test, "__tests__": Test, "__mocks__": Test, "__fixtures__": Test,
	"__snapshots__": Test, "testdata": Test, "fixtures": Test, "spec": Test, "e2e": Test, "cypress": Test,
	"dist": Generated, "coverage": Generated, "__pycache__": Generated, "__generated__": Generated,
	"generated": Generated, "seeds": Test, "seeders": Test, "samples": Test,
}

// names are the patterns of file names that are left out of code.
var names = []struct {
	reason   string
	patterns []string
}{
	{Lock, []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "go.sum",
		"go.work.sum", "Cargo.lock", "Gemfile.lock", "composer.lock", "poetry.lock", "Pipfile.lock", "uv.lock",
		"pdm.lock", "packages.lock.json", "gradle.lockfile", "*.lock"}},
	{Test, []string{"*_test.go", "test_*.py", "*_test.py", "conftest.py",
		"*.{test,spec,cy,e2e}.{ts,tsx,js,jsx,mjs,cjs,mts,cts}", "*{Test,Tests,TestCase,IT}.java",
		"*{Test,Tests}.{cs,php}", "*_{test,spec}.rb", "test_*.rb", "*_test.rs", "*.snap"}},
	{Generated, []string{"*.pb.go", "*.pb.gw.go", "*_pb2.py", "*_pb2_grpc.py", "*_pb.{js,ts}", "*_pb.d.ts", "*.g.cs",
		"*.Designer.cs", "*.{generated,gen}.*", "*_generated.*", "*_gen.go", "zz_generated.*", "*.min.{js,css}",
		"*.{map,bundle.js}"}},
	{Binary, []string{"*.{png,jpg,jpeg,gif,webp,ico,bmp,tif,tiff,pdf,zip,gz,tgz,tar,bz2,xz,7z,rar,jar,war}",
		"*.{class,dll,exe,so,dylib,a,o}",
		"*.{pyc,pyd,wasm,woff,woff2,ttf,otf,eot,mp3,mp4,mov,avi,wav,sqlite,db,bin,dat,pack,parquet}"}},
}

// folder returns why a folder in the scope of code is left out, "" where it is not.
func folder(dir string) string {
	name := path.Base(dir)
	if strings.HasPrefix(name, ".") {
		return Hidden
	}
	if reason, ok := folders[name]; ok || !strings.HasSuffix(name, "Tests") || !strings.Contains(name, ".") {
		return reason
	}
	return Test // Shop.Api.Tests
}

// archived reports whether a folder holds finished changes.
func archived(dir string) bool {
	return path.Base(dir) == "archive" && path.Base(path.Dir(dir)) == "changes"
}

// leftOut returns why a file of a kind is left out by its name, "" where it is not.
func leftOut(name string, kind Kind) string {
	base := path.Base(name)
	if strings.HasPrefix(base, ".") {
		return Hidden
	}
	if kind == Code {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if reason := folder(dir); reason != "" {
				return reason
			}
		}
	}
	matches := func(pattern string) bool { return doublestar.MatchUnvalidated(pattern, base) }
	for _, n := range names {
		if (kind == Code || n.reason == Binary) && slices.ContainsFunc(n.patterns, matches) {
			return n.reason
		}
	}
	return ""
}

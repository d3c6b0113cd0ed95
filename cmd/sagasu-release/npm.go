package main

import (
	"os"
	"path/filepath"
)

// System returns the platform's system as Node and npm name it.
func (p platform) System() string {
	if p.OS == "windows" {
		return "win32"
	}
	return p.OS
}

// CPU returns the platform's processor as Node and npm name it.
func (p platform) CPU() string {
	if p.Arch == "amd64" {
		return "x64"
	}
	return p.Arch
}

// Package returns the npm package of the platform, without its scope.
func (p platform) Package() string { return "sagasu-" + p.System() + "-" + p.CPU() }

// writeNPM writes a folder for each package: one that starts the binary, and one per platform that contains it. npm
// installs only the one for the machine.
func writeNPM(r release, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	starter := map[string]content{
		"package.json": filled("npm/package.json", r),
		"sagasu.js":    source("npm/sagasu.js", 0o755),
		"README.md":    source("npm/README.md", 0o644),
		"LICENSE":      file("LICENSE", 0o644),
	}
	if err := writeFolder(filepath.Join(dir, "sagasu"), starter); err != nil {
		return err
	}
	for _, p := range r.Platforms {
		if err := writeFolder(filepath.Join(dir, p.Package()), map[string]content{
			"package.json":         filled("npm/platform.json", p),
			filepath.Base(p.File):  file(p.File, 0o755),
			"LICENSE":              file("LICENSE", 0o644),
			"THIRD-PARTY-LICENSES": file("build/THIRD-PARTY-LICENSES", 0o644),
		}); err != nil {
			return err
		}
	}
	return nil
}

func writeFolder(dir string, contents map[string]content) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, c := range contents {
		text, err := c.text()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, c.mode); err != nil {
			return err
		}
	}
	return nil
}

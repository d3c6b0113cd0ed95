package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"os"
	"slices"
)

// executables maps a platform to the name of its binary in a bundle. On Linux and macOS this is the output of uname,
// for the script beside it. Windows on arm64 runs the amd64 binary.
var executables = map[string]string{
	"linux/amd64": "sagasu-Linux-x86_64", "linux/arm64": "sagasu-Linux-aarch64",
	"darwin/amd64": "sagasu-Darwin-x86_64", "darwin/arm64": "sagasu-Darwin-arm64",
	"windows/amd64": "sagasu.exe",
}

// writeBundle writes the bundle of all platforms and returns its SHA-256.
func writeBundle(r release, name string) (sum string, err error) {
	contents := map[string]content{
		"manifest.json":        filled("mcpb/manifest.json", r),
		"server/sagasu":        source("mcpb/sagasu", 0o755),
		"LICENSE":              file("LICENSE", 0o644),
		"THIRD-PARTY-LICENSES": file("build/THIRD-PARTY-LICENSES", 0o644),
	}
	for _, p := range r.Platforms {
		if executable, ok := executables[p.OS+"/"+p.Arch]; ok {
			contents["server/"+executable] = file(p.File, 0o755)
		}
	}
	out, err := os.Create(name)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	if err := writeZip(io.MultiWriter(out, hash), r, contents); err != nil {
		out.Close()
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), out.Close()
}

// writeZip writes files in the order of their names, all with the date of the commit.
func writeZip(w io.Writer, r release, contents map[string]content) error {
	z := zip.NewWriter(w)
	for _, name := range slices.Sorted(maps.Keys(contents)) {
		text, err := contents[name].text()
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: r.date.UTC()}
		header.SetMode(contents[name].mode)
		f, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := f.Write(text); err != nil {
			return err
		}
	}
	return z.Close()
}

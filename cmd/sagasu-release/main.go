package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/template"
	"time"
)

// mostBytes is the maximum size of the binary on any platform.
const mostBytes = 36e6

//go:embed npm mcpb server.json
var sources embed.FS

// release contains the values for the templates.
type release struct {
	Version   string
	Platforms []platform
	BundleSum string    // SHA-256
	date      time.Time // of the commit
}

// Bundle returns the file name of the bundle.
func (r release) Bundle() string { return "sagasu_" + r.Version + ".mcpb" }

// platform is a build of the binary.
type platform struct {
	Version  string
	OS, Arch string // as named by Go
	File     string // the binary
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sagasu-release DIST")
		os.Exit(2)
	}
	if err := pack(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "sagasu-release:", err)
		os.Exit(1)
	}
}

// pack writes npm/, the bundle and server.json into dist, which GoReleaser has filled. It must run in the checkout.
func pack(dist string) error {
	r, err := built(dist)
	if err != nil {
		return err
	}
	if err := writeNPM(r, filepath.Join(dist, "npm")); err != nil {
		return fmt.Errorf("write the npm packages: %w", err)
	}
	if r.BundleSum, err = writeBundle(r, filepath.Join(dist, r.Bundle())); err != nil {
		return fmt.Errorf("write the bundle: %w", err)
	}
	entry, err := fill("server.json", r)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, "server.json"), entry, 0o644)
}

// built returns what GoReleaser built. It fails if a binary is too large.
func built(dist string) (r release, err error) {
	if err := readJSON(filepath.Join(dist, "metadata.json"), &r); err != nil {
		return r, err
	}
	var artifacts []struct{ Type, Path, GOOS, GOARCH string }
	if err := readJSON(filepath.Join(dist, "artifacts.json"), &artifacts); err != nil {
		return r, err
	}
	for _, a := range artifacts {
		if a.Type != "Binary" {
			continue
		}
		// Paths are relative to where GoReleaser ran; their last two elements are the path below dist.
		file := filepath.Join(dist, filepath.Base(filepath.Dir(a.Path)), filepath.Base(a.Path))
		info, err := os.Stat(file)
		if err != nil {
			return r, err
		}
		if info.Size() > mostBytes {
			return r, fmt.Errorf("%s has %d bytes, and may have %d: leave something out",
				file, info.Size(), int(mostBytes))
		}
		r.date = info.ModTime() // set by mod_timestamp
		r.Platforms = append(r.Platforms, platform{r.Version, a.GOOS, a.GOARCH, file})
	}
	if len(r.Platforms) == 0 {
		return r, fmt.Errorf("%s has no binaries: run goreleaser first", dist)
	}
	return r, nil
}

func readJSON(name string, v any) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// content is the content of a file in a package or bundle.
type content struct {
	text func() ([]byte, error)
	mode fs.FileMode
}

// file returns a file of the checkout.
func file(name string, mode fs.FileMode) content {
	return content{func() ([]byte, error) { return os.ReadFile(name) }, mode}
}

// source returns a file of this package, unchanged.
func source(name string, mode fs.FileMode) content {
	return content{func() ([]byte, error) { return sources.ReadFile(name) }, mode}
}

// filled returns a file of this package with its fields filled in.
func filled(name string, data any) content {
	return content{func() ([]byte, error) { return fill(name, data) }, 0o644}
}

// fill returns a source with its fields filled in.
func fill(source string, data any) ([]byte, error) {
	t, err := template.ParseFS(sources, source)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, data)
	return out.Bytes(), err
}

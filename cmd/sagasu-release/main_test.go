package main

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// fakeDist creates a checkout with a dist whose binaries have the given size, and enters it.
func fakeDist(t *testing.T, size int64) {
	t.Helper()
	t.Chdir(t.TempDir())
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("LICENSE", "licence")
	write("build/THIRD-PARTY-LICENSES", "licences")
	write("dist/metadata.json", `{"version": "1.2.3", "date": "now"}`)
	var artifacts []string
	for _, p := range []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
		system, arch, _ := strings.Cut(p, "/")
		name := "dist/sagasu_" + system + "_" + arch + "_v1/sagasu"
		if system == "windows" {
			name += ".exe"
		}
		write(name, "binary for "+p)
		if err := os.Truncate(name, size); err != nil {
			t.Fatal(err)
		}
		commit := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
		if err := os.Chtimes(name, commit, commit); err != nil {
			t.Fatal(err)
		}
		artifacts = append(artifacts, fmt.Sprintf(`{"type": "Binary", "path": %q, "goos": %q, "goarch": %q}`, name, system, arch))
	}
	artifacts = append(artifacts, `{"type": "Archive", "path": "dist/sagasu.tar.gz"}`)
	write("dist/artifacts.json", "["+strings.Join(artifacts, ",")+"]")
}

func TestPack(t *testing.T) {
	fakeDist(t, 100)
	if err := pack("dist"); err != nil {
		t.Fatal(err)
	}
	var starter struct {
		Version              string
		OptionalDependencies map[string]string
	}
	read(t, "dist/npm/sagasu/package.json", &starter)
	want := map[string]string{}
	for name, machine := range map[string][2]string{
		"sagasu-linux-x64": {"linux", "x64"}, "sagasu-linux-arm64": {"linux", "arm64"},
		"sagasu-darwin-x64": {"darwin", "x64"}, "sagasu-darwin-arm64": {"darwin", "arm64"},
		"sagasu-win32-x64": {"win32", "x64"}, "sagasu-win32-arm64": {"win32", "arm64"},
	} {
		want["@sagasu-search/"+name] = "1.2.3"
		var p struct{ OS, CPU []string }
		read(t, "dist/npm/"+name+"/package.json", &p)
		if diff := cmp.Diff([2]string{p.OS[0], p.CPU[0]}, machine); diff != "" {
			t.Error(diff)
		}
	}
	if diff := cmp.Diff(want, starter.OptionalDependencies); diff != "" || starter.Version != "1.2.3" {
		t.Errorf("%s %s", starter.Version, diff)
	}

	var modes []string
	z, err := zip.OpenReader("dist/sagasu_1.2.3.mcpb")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		modes = append(modes, f.Mode().String()+" "+f.Name)
	}
	if diff := cmp.Diff([]string{
		"-rw-r--r-- LICENSE", "-rw-r--r-- THIRD-PARTY-LICENSES", "-rw-r--r-- manifest.json",
		"-rwxr-xr-x server/sagasu", "-rwxr-xr-x server/sagasu-Darwin-arm64", "-rwxr-xr-x server/sagasu-Darwin-x86_64",
		"-rwxr-xr-x server/sagasu-Linux-aarch64", "-rwxr-xr-x server/sagasu-Linux-x86_64", "-rwxr-xr-x server/sagasu.exe",
	}, modes); diff != "" {
		t.Error(diff)
	}

	var first, second struct {
		Version  string
		Packages []struct{ Identifier, FileSha256 string }
	}
	read(t, "dist/server.json", &first)
	if err := pack("dist"); err != nil {
		t.Fatal(err)
	}
	read(t, "dist/server.json", &second)
	if diff := cmp.Diff(first, second); diff != "" || len(first.Packages) != 3 || first.Packages[2].FileSha256 == "" {
		t.Errorf("%v, then %s", first, diff)
	}
}

func TestPackRefuses(t *testing.T) {
	t.Run("a large binary", func(t *testing.T) {
		fakeDist(t, mostBytes+1)
		if err := pack("dist"); err == nil || !strings.Contains(err.Error(), "36000001 bytes") {
			t.Error(err)
		}
	})
	t.Run("a dist without binaries", func(t *testing.T) {
		fakeDist(t, 1)
		if err := os.WriteFile("dist/artifacts.json", []byte("[]"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := pack("dist"); err == nil || !strings.Contains(err.Error(), "run goreleaser") {
			t.Error(err)
		}
	})
}

func read(t *testing.T, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

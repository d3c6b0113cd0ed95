package trust

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestDownload(t *testing.T) {
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "spoofed") }))
	defer plain.Close()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/mine_linux":
			io.WriteString(w, "mine")
		case "/away":
			http.Redirect(w, r, plain.URL, http.StatusFound)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for path, want := range map[string]string{
		"/v1/mine_linux": "", "/away": "it leads away from https", "/none": "404 Not Found",
	} {
		into := t.TempDir()
		err := download(t.Context(), server.Client(), server.URL+path, into)
		if want != "" {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", path, err, want)
			}
			continue
		}
		must(t, err)
		if text, err := os.ReadFile(filepath.Join(into, "mine_linux")); err != nil || string(text) != "mine" {
			t.Errorf("%q, %v", text, err)
		}
	}
}

// layout writes an OCI image layout with a manifest for each platform, of an executable that holds the platform.
func layout(t *testing.T, platforms ...string) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "blobs", "sha256"), 0o700))
	put := func(text string) string {
		must(t, os.WriteFile(filepath.Join(dir, "blobs", "sha256", sumOf(text)), []byte(text), 0o600))
		return "sha256:" + sumOf(text)
	}
	var manifests []string
	for _, p := range platforms {
		os, arch, _ := strings.Cut(p, "/")
		layer := put("mine " + p)
		manifest := put(fmt.Sprintf(`{"layers":[{"digest":%q,"annotations":{"org.opencontainers.image.title":"mine"}}]}`, layer))
		manifests = append(manifests, fmt.Sprintf(`{"digest":%q,"platform":{"os":%q,"architecture":%q}}`, manifest, os, arch))
	}
	index := `{"manifests":[` + strings.Join(manifests, ",") + `]}`
	must(t, os.WriteFile(filepath.Join(dir, "index.json"), []byte(index), 0o600))
	return dir
}

func TestUnpack(t *testing.T) {
	here := runtime.GOOS + "/" + runtime.GOARCH
	dir, into := layout(t, "plan9/amd64", here), t.TempDir()
	must(t, unpack("oci://"+dir, into))
	if text, err := os.ReadFile(filepath.Join(into, "mine")); err != nil || string(text) != "mine "+here {
		t.Errorf("%q, %v", text, err)
	}
	damaged := layout(t, here)
	must(t, os.WriteFile(filepath.Join(damaged, "blobs", "sha256", sumOf("mine "+here)), []byte("evil"), 0o600))
	for source, want := range map[string]string{
		"oci://" + damaged:                           "another content than its digest says",
		"oci://" + layout(t, "plan9/amd64"):          "holds 0 manifests for " + here,
		"oci://" + layout(t, here, here):             "holds 2 manifests",
		"oci://" + dir + "@sha256:" + sumOf("other"): "holds 0 manifests",
		"oci://" + t.TempDir():                       "is no OCI image layout",
	} {
		if err := unpack(source, t.TempDir()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
}

func TestALayoutThatMovesOnIsSeen(t *testing.T) {
	dir, here := layout(t, runtime.GOOS+"/"+runtime.GOARCH), "sha256:"+sumOf("x")
	plain := Plugin{Source: "oci://" + dir, Stamp: stampOf("oci://" + dir)}
	pinned := Plugin{Source: "oci://" + dir + "@" + here, Stamp: stampOf("oci://" + dir + "@" + here)}
	if plain.Moved() || pinned.Moved() {
		t.Error("nothing has changed")
	}
	must(t, os.WriteFile(filepath.Join(dir, "index.json"), []byte(`{"manifests":[]}`), 0o600))
	if !plain.Moved() || pinned.Moved() {
		t.Errorf("moved: by its name %v, by its digest %v", plain.Moved(), pinned.Moved())
	}
}

func TestWhatIsFetchedIsTheOneAskedFor(t *testing.T) {
	i := installerFor(t)
	path := program(t, t.TempDir(), "mine.bin", "mine 1")
	for want, r := range map[string]Request{
		"needs --sha256":                      {Source: "https://example.com/mine"},
		"must be 64 hexadecimal digits":       {Source: "https://example.com/mine", SHA256: "12"},
		"without a user or a password":        {Source: "https://me:secret@example.com/mine", SHA256: sumOf("")},
		"its SHA-256 is " + sumOf("mine 1"):   {Source: path, SHA256: sumOf("mine 2")},
		"it calls itself mine, not other":     {Source: path, Name: "other"},
		"it says that it is version 1, not 2": {Source: path, Version: "2"},
	} {
		if _, err := i.Install(t.Context(), r); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v, want %q", r, err, want)
		}
	}
	p, err := i.Install(t.Context(), Request{Source: path, SHA256: strings.ToUpper(sumOf("mine 1"))})
	must(t, err)
	if p.Moved() {
		t.Error("the source has not changed")
	}
	program(t, filepath.Dir(path), "mine.bin", "mine 2")
	if !p.Moved() {
		t.Error("the source has changed")
	}
	elsewhere := program(t, t.TempDir(), "mine.bin", "mine 3")
	r := p.Again()
	r.Source = elsewhere
	if next, err := i.Install(t.Context(), r); err != nil || next.Source != elsewhere {
		t.Errorf("an update from another source: %+v, %v", next, err)
	}
	if r := (&Plugin{Name: "x", Source: "example.com/x@v1.0.0"}).Again(); r.Source != "example.com/x@latest" {
		t.Errorf("%+v", r)
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte(`{"manifests":[{"digest":"sha256:` + sumOf("x") + `"}]}`))
	f.Add([]byte(`{"layers":[{"digest":"sha256:../../x","annotations":{"org.opencontainers.image.title":"../x"}}]}`))
	f.Add([]byte(`{"layers":[{"digest":"sha256:` + sumOf("x") + `","annotations":{"org.opencontainers.image.title":"a/b"}}]}`))
	f.Fuzz(func(t *testing.T, index []byte) {
		dir, into := layout(t), t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "blobs", "sha256", sumOf("x")), []byte("x"), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "index.json"), index, 0o600))
		if err := unpack("oci://"+dir, into); err == nil {
			if file, err := only(into); err != nil || filepath.Dir(file) != into {
				t.Errorf("%q left %s, %v", index, file, err)
			}
		}
	})
}

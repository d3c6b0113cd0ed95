package trust

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Prefixes of sources that are built elsewhere.
const (
	httpsSource = "https://"
	ociSource   = "oci://"
)

// Bounds of what is fetched, in bytes.
const (
	maxExecutable = 1 << 30
	maxManifest   = 4 << 20
)

// download fetches an executable over https into a folder; its hash is for the caller to check.
func download(ctx context.Context, client *http.Client, source, into string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, source, nil)
	if err != nil {
		return err
	}
	secure := *client
	secure.CheckRedirect = func(to *http.Request, via []*http.Request) error {
		if to.URL.Scheme != "https" || len(via) > 10 {
			return errors.New("it leads away from https")
		}
		return nil
	}
	res, err := secure.Do(req)
	if err != nil {
		return fmt.Errorf("download: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("download %s: %s", source, res.Status)
	}
	return writeExecutable(filepath.Join(into, fileOf(req.URL)), func(to io.Writer) error {
		n, err := io.Copy(to, io.LimitReader(res.Body, maxExecutable+1))
		if n > maxExecutable {
			return fmt.Errorf("it has more than %d bytes", maxExecutable)
		}
		return err
	})
}

// fileOf returns the name of the file that a URL leads to.
func fileOf(u *url.URL) string {
	name := path.Base(u.Path)
	if !filepath.IsLocal(name) || strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, ".") {
		return "strategy"
	}
	return name
}

func writeExecutable(file string, write func(io.Writer) error) error {
	dst, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	if err = errors.Join(write(dst), dst.Close()); err != nil {
		return fmt.Errorf("fetch the executable: %w", err)
	}
	return nil
}

// descriptor names a blob of an OCI image layout.
type descriptor struct {
	Digest      string            `json:"digest"`
	Annotations map[string]string `json:"annotations"`
	Platform    *struct {
		OS           string `json:"os"`
		Architecture string `json:"architecture"`
	} `json:"platform"`
}

// suits reports whether the blob is for this machine.
func (d descriptor) suits() bool {
	return d.Platform == nil || d.Platform.OS == runtime.GOOS && d.Platform.Architecture == runtime.GOARCH
}

// layoutOf splits oci://FOLDER@sha256:DIGEST; the digest may be missing.
func layoutOf(source string) (dir, digest string) {
	dir, digest, _ = strings.Cut(strings.TrimPrefix(source, ociSource), "@")
	return dir, digest
}

// unpack copies the executable for this machine out of an OCI image layout: the one layer of the one manifest that is
// left for it. Every blob is compared with its digest.
func unpack(source, into string) error {
	dir, digest := layoutOf(source)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the layout: %w", err)
	}
	defer root.Close()
	index, err := root.ReadFile("index.json")
	if err != nil {
		return fmt.Errorf("%s is no OCI image layout: %w", dir, err)
	}
	for range 3 { // an index may name indexes
		var found struct{ Manifests, Layers []descriptor }
		if err := json.Unmarshal(index, &found); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		if len(found.Layers) > 0 {
			return unpackLayer(root, found.Layers, into)
		}
		left := slices.DeleteFunc(found.Manifests, func(d descriptor) bool {
			return !d.suits() || digest != "" && d.Digest != digest
		})
		if len(left) != 1 {
			return fmt.Errorf("%s holds %d manifests for %s/%s, not one: name it as %s%s@sha256:…", dir, len(left),
				runtime.GOOS, runtime.GOARCH, ociSource, dir)
		}
		digest = ""
		var b bytes.Buffer
		if err := blob(root, left[0].Digest, maxManifest, &b); err != nil {
			return err
		}
		index = b.Bytes()
	}
	return fmt.Errorf("%s: its indexes lead to no manifest", dir)
}

func unpackLayer(root *os.Root, layers []descriptor, into string) error {
	if len(layers) != 1 {
		return fmt.Errorf("the manifest has %d layers, not one with the executable", len(layers))
	}
	name := fileOf(&url.URL{Path: layers[0].Annotations["org.opencontainers.image.title"]})
	return writeExecutable(filepath.Join(into, name), func(to io.Writer) error {
		return blob(root, layers[0].Digest, maxExecutable, to)
	})
}

// blob copies a blob of a layout and fails unless it has its digest.
func blob(root *os.Root, digest string, most int64, to io.Writer) error {
	sum, ok := strings.CutPrefix(digest, "sha256:")
	if want, err := hex.DecodeString(sum); !ok || err != nil || len(want) != sha256.Size {
		return fmt.Errorf("the digest %.80q is no sha256", digest)
	}
	f, err := root.Open("blobs/sha256/" + sum)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, h), io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return err
	case n > most:
		return fmt.Errorf("the blob %s has more than %d bytes", digest, most)
	case hex.EncodeToString(h.Sum(nil)) != sum:
		return fmt.Errorf("the blob %s has another content than its digest says", digest)
	}
	return nil
}

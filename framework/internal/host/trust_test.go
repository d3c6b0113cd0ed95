package host

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestTrustedCertificates are for strategies that may use the network.
func TestTrustedCertificates(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("SSL_CERT_FILE", "ca.pem")
	t.Setenv("SSL_CERT_DIR", dir+string(filepath.ListSeparator)+"more")
	file, more := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "more")
	h, err := New(options(t, "actor"))
	must(t, err)
	defer h.Close()
	o := h.options
	for _, network := range [][]string{nil, {"tcp:443"}} {
		e := o.Entries[0]
		e.Network = network
		env, reads := o.environment(&e, nil, "", ""), o.policy(&e, "", "").Read
		for what, got := range map[string]bool{
			"the variable of the file":    slices.Contains(env, "SSL_CERT_FILE="+file),
			"the variable of the folders": slices.Contains(env, "SSL_CERT_DIR="+dir+string(filepath.ListSeparator)+more),
			"reading the file":            slices.Contains(reads, file),
			"reading a folder":            slices.Contains(reads, more),
		} {
			if want := network != nil; got != want {
				t.Errorf("network %v: %s: %t", network, what, got)
			}
		}
	}
}

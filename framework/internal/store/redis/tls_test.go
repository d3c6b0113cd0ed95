package redis

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// authority writes a certificate that signed itself for 127.0.0.1, and its key.
func authority(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	signed, err := x509.CreateCertificate(rand.Reader, form, form, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, der []byte) string {
		name = filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	return write("certificate.pem", "CERTIFICATE", signed), write("key.pem", "PRIVATE KEY", packed)
}

// secured starts a Redis that speaks TLS alone, and returns where.
func secured(t *testing.T, certificate, key string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := free.Addr().String()
	free.Close()
	_, port, _ := net.SplitHostPort(host)
	var said bytes.Buffer
	cmd := exec.Command("redis-server", "--bind", "127.0.0.1", "--port", "0", "--tls-port", port, "--save", "",
		"--tls-cert-file", certificate, "--tls-key-file", key, "--tls-auth-clients", "no", "--requirepass", "geheim")
	cmd.Dir, cmd.Stdout = t.TempDir(), &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for range 200 {
		if c, err := net.Dial("tcp", host); err == nil {
			c.Close()
			return host
		}
		time.Sleep(50 * time.Millisecond)
	}
	cmd.Process.Kill()
	cmd.Wait()
	t.Fatalf("no Redis: %s", &said)
	return ""
}

// tried names the Redis that a process of its own is to check: what a system trusts is read once per process.
const tried = "SAGASU_TRIED_REDIS"

// A real Redis is reached over TLS where the system trusts its certificate; one that is not trusted is refused.
func TestTLS(t *testing.T) {
	if url := os.Getenv(tried); url != "" {
		t.Logf("it is %s.", check(t, open(t, url)))
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("only there a variable names what is trusted")
	}
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skip("redis-server is not installed")
	}
	trusted, key := authority(t)
	other, otherKey := authority(t)
	good, bad := secured(t, trusted, key), secured(t, other, otherKey)
	for _, c := range []struct{ url, says string }{
		{"rediss://:geheim@" + good, "it is good."},
		{"rediss://:geheim@" + bad, "it is wrong true: tls: failed to verify certificate"},
		{"rediss://:geheimer@" + good, "it is wrong true: WRONGPASS"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestTLS$", "-test.v")
		cmd.Env = append(os.Environ(), tried+"="+c.url, "SSL_CERT_FILE="+trusted)
		said, err := cmd.CombinedOutput()
		if err != nil || !bytes.Contains(said, []byte(c.says)) {
			t.Errorf("%v: %s, want %s", err, said, c.says)
		}
	}
}

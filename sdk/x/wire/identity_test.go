package wire

import (
	"crypto/tls"
	"net"
	"strings"
	"testing"
)

func identity(t *testing.T) *Identity {
	t.Helper()
	i, err := NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// shake tries a handshake between a host that trusts trusted and a process that admits admitted.
func shake(t *testing.T, host, admitted, process, trusted *Identity) error {
	t.Helper()
	client := host.HostTLS()
	client.RootCAs.AppendCertsFromPEM([]byte(trusted.PEM()))
	server, err := process.ProcessTLS(admitted.PEM())
	if err != nil {
		t.Fatal(err)
	}
	near, far := net.Pipe()
	go func() {
		defer far.Close()
		_, _ = tls.Server(far, server).Write([]byte("x")) // the other side sees whether it worked
	}()
	defer near.Close()
	_, err = tls.Client(near, client).Read(make([]byte, 1))
	return err
}

func TestOnlyTheTwoUnderstandEachOther(t *testing.T) {
	host, process, other := identity(t), identity(t), identity(t)
	if err := shake(t, host, host, process, process); err != nil {
		t.Error(err)
	}
	if shake(t, other, host, process, process) == nil {
		t.Error("the process let another host in")
	}
	if shake(t, host, host, other, process) == nil {
		t.Error("the host trusted another process")
	}
	if _, err := process.ProcessTLS("no certificate"); err == nil {
		t.Error("no certificate was read as one")
	}
}

func TestSign(t *testing.T) {
	i := identity(t)
	for line, parts := range map[string][]string{
		"1|1|unix|/tmp/s|grpc|\n":      {"1|1|unix|/tmp/s|grpc|M", "\n"},
		"1|1|unix|/tmp/s|grpc||true\n": {"1|1|unix|/tmp/s|grpc|M", "|true\n"},
	} {
		if got := i.Sign(line); !strings.HasPrefix(got, parts[0]) || !strings.HasSuffix(got, parts[1]) {
			t.Errorf("%q became %q", line, got)
		}
	}
	if got := i.Sign("something else\n"); got != "something else\n" {
		t.Errorf("a line that is no handshake became %q", got)
	}
}

func TestStrangersTextIsOneShortLine(t *testing.T) {
	for in, want := range map[string]string{
		"fine": "fine", "a\nb\x1b[31m": "a b [31m", "\xff!": "!", strings.Repeat("長", 500): strings.Repeat("長", 166),
	} {
		if got := line(in); got != want {
			t.Errorf("%.20q became %q", in, got)
		}
	}
}

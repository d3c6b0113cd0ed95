package wire

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"time"
)

// EnvClientCert carries the host's certificate to the process, in PEM. The process answers with its own in the
// handshake line. This is the transport's automatic mutual TLS. Both sides of this module use keys on P-256, because
// creating the library's keys on P-521 takes a third of the start time. Each side accepts any key of the other.
const EnvClientCert = "PLUGIN_CLIENT_CERT"

// serverName is the name in the certificates.
const serverName = "localhost"

// Identity is a key and its certificate, for the life of one process.
type Identity struct {
	certificate tls.Certificate
}

// NewIdentity creates a key and a certificate that is signed with it.
func NewIdentity() (*Identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	now := time.Now()
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: serverName},
		DNSNames:    []string{serverName},
		NotBefore:   now.Add(-time.Minute),
		NotAfter:    now.AddDate(10, 0, 0), // longer than any process runs
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		IsCA:        true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	return &Identity{tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}}, nil
}

// PEM returns the certificate in the form for the process.
func (i *Identity) PEM() string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: i.certificate.Certificate[0]}))
}

// HostTLS returns the host's configuration, as a client and as a server for the process. The transport adds the
// process's certificate when it receives it; without one, connections fail.
func (i *Identity) HostTLS() *tls.Config { return i.mutualTLS(x509.NewCertPool(), x509.NewCertPool()) }

// ProcessTLS returns the process's configuration. It accepts only the host with that certificate.
func (i *Identity) ProcessTLS(hostPEM string) (*tls.Config, error) {
	hosts := x509.NewCertPool()
	if !hosts.AppendCertsFromPEM([]byte(hostPEM)) {
		return nil, errors.New("the host's certificate cannot be read")
	}
	return i.mutualTLS(hosts, hosts), nil
}

func (i *Identity) mutualTLS(clients, servers *x509.CertPool) *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{i.certificate},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    clients,
		RootCAs:      servers,
		MinVersion:   tls.VersionTLS13,
		ServerName:   serverName,
	}
}

// certField is the index of the process's certificate in the handshake line.
const certField = 5

// Sign puts the certificate into a handshake line.
func (i *Identity) Sign(line string) string {
	fields := strings.Split(strings.TrimSuffix(line, "\n"), "|")
	if len(fields) <= certField {
		return line
	}
	fields[certField] = base64.RawStdEncoding.EncodeToString(i.certificate.Certificate[0])
	return strings.Join(fields, "|") + "\n"
}

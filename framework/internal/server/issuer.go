package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// issuerTime is the time limit of requests to an issuer.
const issuerTime = 10 * time.Second

// maxMetadata is the maximum number of bytes of an issuer's metadata.
const maxMetadata = 1 << 20

// Issued returns a function that verifies the tokens that an OAuth issuer has issued for an audience: JWTs (RFC 9068)
// signed by the keys that the issuer publishes. It fails if the issuer's metadata cannot be read. ctx must last as long
// as the result is used.
func Issued(ctx context.Context, issuer, audience string) (func(context.Context, string) error, error) {
	client := &http.Client{Timeout: issuerTime}
	keys, err := keysOf(ctx, client, issuer)
	if err != nil {
		return nil, fmt.Errorf("read the metadata of the issuer %s: %w", issuer, err)
	}
	verifier := oidc.NewVerifier(issuer, oidc.NewRemoteKeySet(oidc.ClientContext(ctx, client), keys), &oidc.Config{
		ClientID: audience,
		SupportedSigningAlgs: []string{
			oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
		},
	})
	return func(ctx context.Context, token string) error {
		_, err := verifier.Verify(ctx, token)
		return err
	}, nil
}

// keysOf returns the URL of an issuer's keys, by RFC 8414 or else by OpenID Connect.
func keysOf(ctx context.Context, client *http.Client, issuer string) (string, error) {
	at, err := url.Parse(issuer)
	if err != nil {
		return "", err
	}
	path := strings.TrimSuffix(at.Path, "/")
	var metadata struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	for _, wellKnown := range []string{
		"/.well-known/oauth-authorization-server" + path, path + "/.well-known/openid-configuration",
	} {
		if err = get(ctx, client, at.Scheme+"://"+at.Host+wellKnown, &metadata); err == nil {
			break
		}
	}
	switch {
	case err != nil:
		return "", err
	case metadata.Issuer != issuer:
		return "", fmt.Errorf("it calls itself %q", metadata.Issuer)
	case metadata.Keys == "":
		return "", errors.New("it names no jwks_uri")
	}
	return metadata.Keys, nil
}

// get reads JSON.
func get(ctx context.Context, client *http.Client, from string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", from, resp.Status)
	}
	return json.NewDecoder(io.LimitReader(resp.Body, maxMetadata)).Decode(into)
}

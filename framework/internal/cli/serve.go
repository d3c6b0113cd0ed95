package cli

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/eval/testbed"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/page"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/sdk/x/rest"
)

const (
	// defaultListen is an address that only this machine can reach.
	defaultListen = "127.0.0.1:7777"
	// tokenVariable names the environment variable with the token. There is no flag for it, since other users of the
	// machine could read it.
	tokenVariable = "SAGASU_TOKEN"
	// minToken is the minimum length of a token, maxTokenFile the maximum size of a file with one.
	minToken, maxTokenFile = 16, 4096
)

// serving are the flags of serve.
type serving struct {
	listen, tokenFile, cert, key, issuer, public string
	origins                                      []string
}

func serveCommand(prog *program) *cobra.Command {
	var s serving
	c := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP and a page over HTTP",
		Long: `serve answers MCP clients over HTTP at /mcp, without sessions: it may be restarted, and several
servers may stand behind one address. GET /healthz says ok, GET /metrics gives figures for Prometheus.

Without a token it listens on this machine alone. For any other address give a token of at least 16
characters in the environment (SAGASU_TOKEN) or in a file, which clients send as "Authorization: Bearer
TOKEN"; or name the OAuth issuer whose tokens are good, and the URL by which clients know this server.
A browser is asked for the token once. It ends at Ctrl-C, after the answers under way.`,
		Example: `  sagasu serve --workspace ~/docs
  claude mcp add --transport http sagasu http://127.0.0.1:7777/mcp
  openssl rand -hex 16 > token; chmod 600 token
  sagasu serve --listen 0.0.0.0:7777 --token-file token --tls-cert cert.pem --tls-key key.pem
  sagasu serve --listen :7777 --oauth-issuer https://id.example.com --public-url https://docs.example.com/mcp`,
		RunE: func(c *cobra.Command, _ []string) error { return s.run(c, prog) },
	}
	f := c.Flags()
	f.StringVar(&s.listen, "listen", defaultListen, "answer at `ADDRESS`")
	f.StringVar(&s.tokenFile, "token-file", "", "read the token from `FILE`, whatever SAGASU_TOKEN is")
	f.StringVar(&s.cert, "tls-cert", "", "serve TLS with the certificate (and its chain) of `FILE`")
	f.StringVar(&s.key, "tls-key", "", "the certificate's key is in `FILE`")
	f.StringVar(&s.issuer, "oauth-issuer", "", "take the tokens of the OAuth issuer `URL`")
	f.StringVar(&s.public, "public-url", "", "clients know the endpoint as `URL`, behind a proxy or for OAuth")
	f.StringArrayVar(&s.origins, "allow-origin", nil, "let pages of `ORIGIN` call, such as https://app.example.com")
	return c
}

// run serves until it is interrupted.
func (s *serving) run(c *cobra.Command, prog *program) error {
	ctx := c.Context()
	var err error
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { // an unset variable must not open the server
		if f.Changed && f.Value.String() == "" {
			err = usageError{fmt.Errorf("--%s is empty: give a value, or leave the flag out", f.Name)}
		}
	})
	if err != nil {
		return err
	}
	_ = host.LoosenTimers() // a failure only costs more wake-ups
	access, err := s.access(ctx)
	if err != nil {
		return err
	}
	secure, err := s.tls()
	if err != nil {
		return err
	}
	listener, err := s.open(ctx, access)
	if err != nil {
		return err
	}
	defer listener.Close()
	options := prog.options(ctx, nil)
	options.Shared = true
	a, err := app.Open(ctx, options)
	if err != nil {
		return misconfigured(err)
	}
	defer endAfter(ctx, exitInterrupted)()
	defer a.Close()
	idle := rest.GiveBack()
	defer idle.Stop()
	a.Tools.Note(idle)
	page, err := openPage(prog, a)
	if err != nil {
		return err
	}
	scheme := "http"
	if secure != nil {
		scheme = "https"
	}
	address := scheme + "://" + listener.Addr().String()
	fmt.Fprintf(c.ErrOrStderr(), "sagasu: MCP at %s%s\n", address, server.MCPPath)
	if access.Open() || access.Token != "" {
		fmt.Fprintf(c.ErrOrStderr(), "sagasu: the page at %s/\n", address)
	}
	return a.Tools.ServeHTTP(ctx, listener, server.HTTPOptions{
		Access: access, TLS: secure, Page: page,
		Metrics: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { a.WriteMetrics(w) }),
	})
}

// access reads who may call.
func (s *serving) access(ctx context.Context) (a server.Access, err error) {
	if a.Token, err = s.token(); err != nil {
		return a, err
	}
	a.Origins, a.Issuer, a.Resource = s.origins, s.issuer, s.public
	for _, origin := range s.origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Scheme+"://"+u.Host != origin {
			return a, usageError{fmt.Errorf("--allow-origin %q must be a scheme and a host, such as "+
				"https://app.example.com", origin)}
		}
	}
	if s.public != "" {
		u, err := web("--public-url", s.public)
		if err != nil {
			return a, err
		}
		a.Hosts = []string{u.Hostname()}
	}
	if s.issuer == "" {
		return a, nil
	}
	if s.public == "" {
		return a, usageError{errors.New("--oauth-issuer needs --public-url, the URL that its tokens are for")}
	}
	u, err := web("--oauth-issuer", s.issuer)
	if err != nil {
		return a, err
	}
	if u.Scheme != "https" && !server.Loopback(u.Hostname()) {
		return a, usageError{fmt.Errorf("--oauth-issuer %q must begin with https://", s.issuer)}
	}
	a.Verify, err = server.Issued(ctx, s.issuer, s.public)
	return a, err
}

// web parses a flag with the URL of a server.
func web(flag, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, usageError{fmt.Errorf("%s %q must be a URL with http:// or https://", flag, text)}
	case u.User != nil || u.RawQuery != "" || u.Fragment != "": // everybody may read it in the metadata
		return nil, usageError{fmt.Errorf("%s must be a URL without user, password, ? and #", flag)}
	}
	return u, nil
}

// token reads the token from the file or the environment, "" for none.
func (s *serving) token() (string, error) {
	token, from := os.Getenv(tokenVariable), tokenVariable
	if s.tokenFile != "" {
		info, err := os.Stat(s.tokenFile)
		if err != nil {
			return "", fmt.Errorf("read the token: %w", err)
		}
		if !info.Mode().IsRegular() || info.Size() > maxTokenFile {
			return "", fmt.Errorf("read the token: %s is no file of at most %d bytes", s.tokenFile, maxTokenFile)
		}
		raw, err := os.ReadFile(s.tokenFile)
		if err != nil {
			return "", fmt.Errorf("read the token: %w", err)
		}
		token, from = strings.TrimSpace(string(raw)), s.tokenFile
	} else if token == "" {
		return "", nil
	}
	if len(token) < minToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", usageError{fmt.Errorf("the token in %s must have at least %d visible ASCII characters",
			from, minToken)}
	}
	return token, nil
}

// tls reads the certificate, or returns nil if there is none.
func (s *serving) tls() (*tls.Config, error) {
	switch {
	case (s.cert == "") != (s.key == ""):
		return nil, usageError{errors.New("--tls-cert and --tls-key belong together: give both")}
	case s.cert == "":
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return nil, fmt.Errorf("read the certificate %s with the key %s: %w", s.cert, s.key, err)
	}
	return &tls.Config{
		Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12,
	}, nil
}

// open listens, only on this machine if everybody may call.
func (s *serving) open(ctx context.Context, a server.Access) (net.Listener, error) {
	host, port, err := net.SplitHostPort(s.listen)
	if err != nil {
		return nil, usageError{fmt.Errorf("--listen %q must be HOST:PORT, such as %s", s.listen, defaultListen)}
	}
	if a.Open() && !server.Loopback(host) {
		return nil, usageError{fmt.Errorf("--listen %s can be reached from other machines: give a token in %s or by "+
			"--token-file, or --oauth-issuer; or listen on 127.0.0.1:%s", s.listen, tokenVariable, port)}
	}
	network := "tcp"
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() { // otherwise 0.0.0.0 would listen on IPv6 too
		network = "tcp4"
	}
	listener, err := new(net.ListenConfig).Listen(ctx, network, s.listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use by another program: stop it, or choose another by --listen", s.listen)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", s.listen, err)
	}
	return listener, nil
}

// judgedName is the file with judged queries in the state directory of a workspace.
const judgedName = "judged.jsonl"

// openPage returns the page of an open workspace, which lives as long as the workspace.
func openPage(prog *program, a *app.App) (http.Handler, error) {
	options := page.Options{
		Manuals: app.Module[*manuals.Module](a), Logger: a.Logger,
		Examine: func(ctx context.Context) (*doctor.Report, error) {
			return app.Examine(ctx, prog.options(ctx, io.Discard))
		},
		Measure: func(ctx context.Context, queries []eval.Query, weights map[string]float64) (*eval.Report, error) {
			return testbed.Measure(ctx, a, queries, weights)
		},
	}
	if !a.Workspace.ReadOnly {
		options.Judged = filepath.Join(a.Workspace.StateDir(), judgedName)
		options.Command = fmt.Sprintf("sagasu eval --queries %s --workspace %s", shellWord(options.Judged),
			shellWord(a.Workspace.Root)) // works in any folder: the page does not know where its reader is
		for _, dir := range prog.Manuals {
			dir, err := filepath.Abs(dir)
			if err != nil {
				return nil, err
			}
			options.Command += " --manuals " + shellWord(dir)
		}
	}
	return page.New(options)
}

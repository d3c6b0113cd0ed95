package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// MCPPath is the path of the protocol for HTTP clients.
const MCPPath = "/mcp"

// Limits on what an HTTP client may cost.
const (
	headerTime = 10 * time.Second // to send the headers
	bodyTime   = 30 * time.Second // to send headers and body
	answerTime = 3 * time.Minute  // until the last byte of an answer is read
	idleTime   = 2 * time.Minute  // between two requests
	maxHeader  = 64 << 10         // bytes
	// maxCalls is how many requests are answered at once; further ones are asked to try again later.
	maxCalls = 1024
	// shutdownTime is how long answers under way may take once the server is shutting down.
	shutdownTime = 2 * time.Second
)

// HTTPOptions are what HTTP needs in addition to the tools.
type HTTPOptions struct {
	// Access decides who may call.
	Access Access
	// TLS secures connections; nil means plain HTTP.
	TLS *tls.Config
	// Page is served at / and below; nil for none.
	Page http.Handler
	// Metrics writes the program's metrics in the Prometheus text format.
	Metrics http.Handler
}

// ServeHTTP serves clients until ctx is done, which is a clean end. It closes the listener.
func (s *Server) ServeHTTP(ctx context.Context, listener net.Listener, o HTTPOptions) error {
	var calls sync.WaitGroup // http.Server.Close does not wait for them
	answer := s.HTTP(o)
	counted := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		defer calls.Done()
		answer.ServeHTTP(w, r)
	})
	web := &http.Server{
		Handler: counted, ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: answerTime,
		IdleTimeout: idleTime, MaxHeaderBytes: maxHeader,
		ErrorLog: s.log.StandardLogger(&hclog.StandardLoggerOptions{ForceLevel: hclog.Debug}),
	}
	ended := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		err := web.Shutdown(late)
		if errors.Is(err, context.DeadlineExceeded) {
			err = web.Close() // cancels the remaining calls
		}
		calls.Wait()
		ended <- err
	})
	var err error
	if o.TLS != nil {
		web.TLSConfig = o.TLS
		err = web.ServeTLS(listener, "", "")
	} else {
		err = web.Serve(listener)
	}
	if stop() {
		return fmt.Errorf("serve HTTP: %w", err)
	}
	return <-ended
}

// HTTP answers the requests of MCP clients, of browsers and of monitoring.
func (s *Server) HTTP(o HTTPOptions) http.Handler {
	return overHTTP(s.protocol(transport{
		readers: newReaders(), slots: make(chan struct{}, CallWorkers), notify: notifyReply, refuse: refuseReply,
	}), o)
}

func overHTTP(m *server.MCPServer, o HTTPOptions) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/.well-known/", http.NotFoundHandler()) // clients ask there without a token
	o.Access.publish(mux)
	protocol := o.Access.client(limitBody(wellFormed(streamable(m, o.Access.Origins))))
	mux.Handle(MCPPath, protocol)
	mux.Handle(MCPPath+"/{$}", protocol)
	if o.Metrics != nil {
		mux.Handle("GET /metrics", o.Access.client(o.Metrics))
	}
	if o.Page != nil {
		mux.Handle("/", o.Access.browser(limitBody(o.Page)))
	}
	all := http.NewServeMux()
	all.Handle("/", limitCalls(mux))
	// A busy server counts as healthy; otherwise a monitor would restart it.
	all.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	return o.Access.local(all)
}

// streamable returns the endpoint of the protocol, for every revision and without sessions.
func streamable(m *server.MCPServer, origins []string) http.Handler {
	options := []server.StreamableHTTPOption{
		server.WithStateLess(true), server.WithDisableStreaming(true), server.WithDisableLocalhostProtection(true),
		server.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)),
	}
	if len(origins) > 0 {
		options = append(options, server.WithStreamableHTTPCORS(server.WithCORSAllowedOrigins(origins...),
			server.WithCORSAllowedHeaders("Authorization", "Content-Type", server.HeaderKeySessionID, "Last-Event-ID",
				mcp.HeaderProtocolVersion, mcp.HeaderMethod, mcp.HeaderName)))
	}
	return replies(server.NewStreamableHTTPServer(m, options...))
}

// limitBody refuses a body that is larger than the maximum size of a message.
func limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > maxFrame {
			w.Header().Set("Connection", "close") // the rest is not read
			http.Error(w, fmt.Sprintf("the body has %d bytes; at most %d are read", r.ContentLength, maxFrame),
				http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxFrame)
		next.ServeHTTP(w, r)
	})
}

// wellFormed refuses a body that is not a message, with the same errors as on standard input.
func wellFormed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			http.Error(w, fmt.Sprintf("the body is too large; at most %d bytes are read", maxFrame),
				http.StatusRequestEntityTooLarge)
			return
		}
		if err != nil {
			http.Error(w, "the body cannot be read: "+err.Error(), http.StatusBadRequest)
			return
		}
		var m envelope
		if code, flaw := m.read(bytes.TrimSpace(body)); flaw != "" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(rejection(m.ID, code, flaw)) // a client that has gone needs no answer
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// limitCalls asks clients to try again later if too many requests are under way.
func limitCalls(next http.Handler) http.Handler {
	var underWay atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer underWay.Add(-1)
		if underWay.Add(1) > maxCalls {
			w.Header().Set("Retry-After", "1")
			http.Error(w, "too many requests are under way", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

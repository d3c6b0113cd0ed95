//go:build soak

package cli

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// patient asks again until the server behind a proxy has come back and has answered whole.
type patient struct{ to http.RoundTripper }

func (p patient) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		r.Body = io.NopCloser(bytes.NewReader(body))
		resp, err := p.to.RoundTrip(r)
		if err == nil {
			var answer []byte
			answer, err = io.ReadAll(resp.Body)
			resp.Body.Close()
			resp.Body = io.NopCloser(bytes.NewReader(answer))
		}
		if err == nil || time.Since(start) > 20*time.Second || r.Context().Err() != nil {
			return resp, err
		}
	}
}

// Two hundred clients search and read for a minute, beside some that send slowly or never read. In the middle the
// server is killed and started again behind a proxy: no client notices.
func TestServeTwoHundredClients(t *testing.T) {
	env := environment(t)
	start := func(address string) *service {
		return serveOver(t, env, "--workspace", sample(t), "--listen", address, "--log-level", "error")
	}
	s := start("127.0.0.1:0")
	address := strings.TrimPrefix(s.url, "http://")
	backend, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(backend)
	proxy.Transport = patient{&http.Transport{MaxIdleConnsPerHost: 200}}
	front := httptest.NewServer(proxy)
	defer front.Close()

	// Some send a body byte by byte, some read nothing.
	for range 20 {
		slow, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		fmt.Fprintf(slow, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
		deaf, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer deaf.Close()
		call := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		for range 100 {
			fmt.Fprintf(deaf, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(call), call)
		}
	}

	queries := []string{"RAID1 交換", "保証の対象外", "exit code 3", "初期化の手順", "rollback a service", "ファームウェアの更新", "backup", "再構築が始まらない"}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	var mu sync.Mutex
	var took []time.Duration
	var errs []error
	ends := time.Now().Add(time.Minute)
	var group sync.WaitGroup
	for range 200 {
		group.Go(func() {
			reader := ""
			for time.Now().Before(ends) {
				began := time.Now()
				found, err := callOver(client, front.URL, "", "manual_find", map[string]any{"query": queries[rand.IntN(len(queries))]})
				if err == nil {
					p := found["passages"].([]any)[0].(map[string]any)
					args := map[string]any{"ref": map[string]any{"manual_id": p["manual_id"], "path": p["path"]}, "scope": "snippet"}
					if reader != "" {
						args["reader_id"] = reader
					}
					var read map[string]any
					if read, err = callOver(client, front.URL, "", "manual_read", args); err == nil {
						reader = read["reader_id"].(string)
					}
				}
				mu.Lock()
				took = append(took, time.Since(began))
				if err != nil {
					errs = append(errs, err)
				}
				mu.Unlock()
				time.Sleep(time.Duration(rand.IntN(200)) * time.Millisecond)
			}
		})
	}
	time.Sleep(25 * time.Second)
	before := resident(t, s)
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait()
	time.Sleep(time.Second)
	s = start(address)
	group.Wait()
	slices.Sort(took)
	t.Logf("%d finds with a read, median %v, p95 %v, longest %v; memory before the kill %s, at the end %s",
		len(took), took[len(took)/2], took[len(took)*95/100], took[len(took)-1], before, resident(t, s))
	if len(errs) > 0 {
		t.Errorf("%d of %d failed, first: %v", len(errs), len(took), errs[0])
	}
}

// resident returns what the server's own process holds.
func resident(t *testing.T, s *service) string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		if at, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			return strings.TrimSpace(at)
		}
	}
	return "?"
}

// A body that comes slowly, and a client that reads nothing, cost their connection.
func TestServeSlowClients(t *testing.T) {
	s := serveOver(t, environment(t), "--workspace", sample(t), "--listen", "127.0.0.1:0")
	slow, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
	go func() {
		for range 1000 {
			if _, err := slow.Write([]byte(" ")); err != nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	_ = slow.SetReadDeadline(time.Now().Add(60 * time.Second))
	answer, err := io.ReadAll(slow)
	if ne, ok := err.(net.Error); ok && ne.Timeout() {
		t.Errorf("a slow body is waited for longer than a minute: %q", answer)
	}
}

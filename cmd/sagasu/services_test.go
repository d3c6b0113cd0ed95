package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// rerankService prefers the longest text, or answers with a status.
func rerankService(t *testing.T, status int) (url string, calls *atomic.Int64) {
	calls = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		var in struct{ Documents []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Authorization") != "Bearer sk-secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if status != http.StatusOK {
			w.WriteHeader(status)
			return
		}
		var rows []string
		for i, d := range in.Documents {
			rows = append(rows, fmt.Sprintf(`{"index":%d,"relevance_score":%d}`, i, len(d)))
		}
		io.WriteString(w, `{"results":[`+strings.Join(rows, ",")+`]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v2/rerank", calls
}

// findRAID is what a search answers as JSON.
func findRAID(t *testing.T, dir string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(binary, "find", "--workspace", dir, "--json", "RAID の方式")
	home := t.TempDir()
	cmd.Env = append(os.Environ(), append(env, "HOME="+home, "USERPROFILE="+home, "LOCALAPPDATA="+home, "XDG_CACHE_HOME=", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=",
		"STRATEGY_TIME_MS=60000", "RERANK_TIMEOUT_MS=60000")...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if strings.Contains(string(out)+stderr.String(), "sk-secret") {
		t.Error("the key is told")
	}
	return string(out) + stderr.String(), err
}

// The strategy runs in its sandbox: only the named port and the named key reach it.
func TestARerankServiceThatTheUserNames(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	url, calls := rerankService(t, http.StatusOK)
	set := []string{"RERANK_URL=" + url, "RERANK_MODEL=m", "RERANK_KEY_ENV=SAGASU_TEST_KEY", "SAGASU_TEST_KEY=sk-secret"}
	out, err := findRAID(t, sample(t), set...)
	if err != nil || calls.Load() == 0 || !strings.Contains(out, "late_rerank") || strings.Contains(out, "rerank service") {
		t.Errorf("%d calls, %v: %s", calls.Load(), err, out)
	}
	failing, calls := rerankService(t, http.StatusForbidden)
	set[0] = "RERANK_URL=" + failing
	if out, err = findRAID(t, sample(t), set...); err != nil || calls.Load() == 0 || !strings.Contains(out, "the service answered 403") {
		t.Errorf("a service that refuses: %d calls, %v: %s", calls.Load(), err, out)
	}
}

func TestAServiceIsNotAStrangersToName(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "manuals", "m"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "manuals", "m", "a.md"), []byte("# RAID\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	url, calls := rerankService(t, http.StatusOK)
	if err := os.WriteFile(filepath.Join(dir, "sagasu.toml"), []byte("rerank_url = \""+url+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := findRAID(t, dir); err == nil || !strings.Contains(out, "rerank_url may not be set") || calls.Load() > 0 {
		t.Errorf("%d calls, %v: %s", calls.Load(), err, out)
	}
	if out, err := findRAID(t, sample(t), "RERANK_URL=ftp://me:pw@host/"); err == nil || !strings.Contains(out, "RERANK_URL (from environment)") || strings.Contains(out, "pw") {
		t.Errorf("%v: %s", err, out)
	}
}

package cli

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
	"sync"
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

// findRAID returns what a search answers as JSON.
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

// chatService judges that the first passage's first sentence answers, as chat completions do.
func chatService(t *testing.T, status int) (url string, calls *atomic.Int64) {
	calls = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		var in struct {
			Model    string
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Authorization") != "Bearer sk-secret" || in.Model != "m" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, passage, _ := strings.Cut(in.Messages[len(in.Messages)-1].Content, "\nPassage 1, ")
		_, text, _ := strings.Cut(passage, "\n")
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		verdict, _ := json.Marshal(map[string]any{"answers": []any{
			map[string]any{"passage": 1, "quote": first, "probability": 0.97},
			map[string]any{"passage": 1, "quote": "words of its own", "probability": 1},
		}, "tensions": []any{}})
		reply, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": string(verdict)}}}})
		w.WriteHeader(status)
		w.Write(reply)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1/chat/completions", calls
}

// A judge runs in its sandbox as a reranker does; what it quotes is shown, what it made up is not.
func TestAJudgingServiceThatTheUserNames(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	url, calls := chatService(t, http.StatusOK)
	set := []string{"JUDGE_URL=" + url, "JUDGE_MODEL=m", "JUDGE_KEY_ENV=SAGASU_TEST_KEY", "SAGASU_TEST_KEY=sk-secret", "JUDGE_TIME_MS=60000"}
	out, err := findRAID(t, sample(t), set...)
	var got struct {
		Summary struct {
			IntegrationStatus string `json:"integration_status"`
		}
		AnsweredBy struct{ Path, Text string } `json:"answered_by"`
		Warnings   []string
	}
	if derr := json.NewDecoder(strings.NewReader(out)).Decode(&got); err != nil || derr != nil || calls.Load() == 0 {
		t.Fatalf("%d calls, %v, %v: %s", calls.Load(), err, derr, out)
	}
	warned := len(got.Warnings) == 1 && got.Warnings[0] == "judgehttp: 1 judgements were dropped: they do not quote the passages as asked"
	if got.AnsweredBy.Text == "" || got.Summary.IntegrationStatus != "ready" || !warned {
		t.Errorf("%+v", got)
	}
	failing, calls := chatService(t, http.StatusForbidden)
	set[0] = "JUDGE_URL=" + failing
	if out, err = findRAID(t, sample(t), set...); err != nil || calls.Load() == 0 || !strings.Contains(out, "judgehttp: the service did not help") {
		t.Errorf("a service that refuses: %d calls, %v: %s", calls.Load(), err, out)
	}
	if out, err := findRAID(t, sample(t), "JUDGE_URL="+url); err == nil || !strings.Contains(out, "JUDGE_MODEL") {
		t.Errorf("without a model: %v: %s", err, out)
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
	for _, set := range [][]string{
		{"RERANK_URL=http://localhost:99999/ok", "RERANK_URL (from environment)"},
		{"RERANK_KEY_ENV=sk-abc-123", "RERANK_KEY_ENV (from environment)"},
	} {
		out, err := findRAID(t, sample(t), "RERANK_URL="+url, set[0])
		if err == nil || !strings.Contains(out, set[1]) || strings.Contains(out, "sk-abc") {
			t.Errorf("%s: %v: %s", set[0], err, out)
		}
	}
	if out, err := findRAID(t, sample(t), "RERANK_URL=ftp://me:pw@host/"); err == nil || !strings.Contains(out, "RERANK_URL (from environment)") || strings.Contains(out, "pw") {
		t.Errorf("%v: %s", err, out)
	}
}

// embeddingService answers with a vector of the letters of each text.
func embeddingService(t *testing.T) (url string, texts *atomic.Int64) {
	texts = new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || r.Header.Get("Authorization") != "Bearer sk-secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		texts.Add(int64(len(in.Input)))
		var rows []string
		for i, text := range in.Input {
			rows = append(rows, fmt.Sprintf(`{"index":%d,"embedding":[%d,%d,1]}`, i, len(text)%7, len(text)%5))
		}
		io.WriteString(w, `{"data":[`+strings.Join(rows, ",")+`]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", texts
}

// Vectors come from a service that the user's own file names, once for each text; a
// workspace's file may not name one.
func TestAnEmbeddingServiceThatTheUserNames(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	url, texts := embeddingService(t)
	settings := "[strategies.semantic.config.embedding]\nurl = \"" + url + "\"\nmodel = \"m\"\nkey_env = \"SAGASU_TEST_KEY\"\n"
	config, work := t.TempDir(), t.TempDir()
	env := append(environment(t), "XDG_CONFIG_HOME="+config, "APPDATA="+config, "SAGASU_TEST_KEY=sk-secret", "STRATEGY_TIME_MS=60000")
	search := func() (string, error) {
		cmd := exec.Command(binary, "rrf", "semantic", "water electrolyser", "--workspace", work, "--publications-root", filepath.Join(repository(t), "testdata", "publications"))
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	place := filepath.Join(config, "sagasu", "config.toml")
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(place, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := search()
	sent := texts.Load()
	if err != nil || sent < 300 || strings.Contains(first, "sk-secret") {
		t.Fatalf("%d texts sent, %v: %s", sent, err, first)
	}
	if again, err := search(); err != nil || texts.Load() > sent+1 { // the query is sent again
		t.Errorf("%d texts sent again, %v: %s", texts.Load()-sent, err, again)
	}
	if err := os.Rename(place, filepath.Join(work, "sagasu.toml")); err != nil {
		t.Fatal(err)
	}
	if out, err := search(); err == nil || !strings.Contains(out, "may not set embedding") {
		t.Errorf("a stranger names a service: %v, %s", err, out)
	}
}

// Vectors of manuals come from a service or a folder that the user names; the strategy runs in its sandbox. sagasu
// index makes them, and a search sends no more than its query.
func TestAModelForManualsThatTheUserNames(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	env := append(environment(t), "SAGASU_TEST_KEY=sk-secret", "STRATEGY_TIME_MS=60000")
	work := sample(t)
	run := func(set []string, args ...string) (stdout, stderr string) {
		t.Helper()
		cmd := exec.Command(binary, append(args, "--workspace", work)...)
		var out, errs strings.Builder
		cmd.Env, cmd.Stdout, cmd.Stderr = append(env, set...), &out, &errs
		if err := cmd.Run(); err != nil || strings.Contains(out.String()+errs.String(), "sk-secret") {
			t.Fatalf("%v: %s%s", err, &out, &errs)
		}
		return out.String(), errs.String()
	}
	url, texts := embeddingService(t)
	service := []string{"EMBED_URL=" + url, "EMBED_MODEL=m", "EMBED_KEY_ENV=SAGASU_TEST_KEY"}
	out, progress := run(service, "index", "--json")
	var built struct {
		Sections int
		Warnings []string
	}
	if err := json.Unmarshal([]byte(out), &built); err != nil || len(built.Warnings) > 0 || !strings.Contains(progress, "embedding: sections") {
		t.Errorf("%v: %s%s", err, out, progress)
	}
	sent := texts.Load()
	if sent < int64(built.Sections) {
		t.Errorf("%d texts sent for %d sections", sent, built.Sections)
	}
	found, _ := run(service, "find", "--json", "RAID の方式")
	if n := texts.Load() - sent; n != 1 || !strings.Contains(found, `"embedding"`) || strings.Contains(found, "embedding:") {
		t.Errorf("%d texts sent for a query: %s", n, found)
	}
	dead := []string{"EMBED_URL=http://127.0.0.1:1/v1", "EMBED_MODEL=m"}
	if out, _ := run(dead, "index"); !strings.Contains(out, "warning: strategy embedding: the embedding service: it could not be reached") {
		t.Errorf("a dead service: %s", out)
	}
	if out, _ := run(dead, "find", "--json", "RAID の方式"); !strings.Contains(out, "strategy embedding") && !strings.Contains(out, "embedding: ") {
		t.Errorf("a dead service: %s", out)
	}
	model := t.TempDir()
	if err := os.WriteFile(filepath.Join(model, "w.vec"), []byte("raid 1 0\n方式 0 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _ := run([]string{"EMBED_DIR=" + model}, "find", "--json", "RAID の方式"); !strings.Contains(out, `"embedding"`) || strings.Contains(out, "embedding:") {
		t.Errorf("a folder: %s", out)
	}
}

// A kill amid the vectors costs the call that was under way.
func TestIndexThatIsKilledGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	var mu sync.Mutex
	sent, calls, third := map[string]int{}, 0, make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		mu.Lock()
		if calls++; calls == 3 {
			close(third)
		}
		hang := calls == 3
		for _, text := range in.Input {
			sent[text]++
		}
		mu.Unlock()
		if hang {
			<-r.Context().Done()
			return
		}
		io.WriteString(w, `{"data":[{"embedding":[1,2]}`+strings.Repeat(`,{"embedding":[1,2]}`, len(in.Input)-1)+`]}`)
	}))
	t.Cleanup(s.Close)
	work, env := sample(t), append(environment(t), "EMBED_URL="+s.URL+"/v1", "EMBED_MODEL=m", "EMBED_BATCH=8")
	index := func() *exec.Cmd {
		cmd := exec.Command(binary, "index", "--json", "--workspace", work)
		cmd.Env = env
		return cmd
	}
	first := index()
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-third
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	if out, err := index().Output(); err != nil || strings.Contains(string(out), "warnings") {
		t.Fatalf("%v: %s", err, out)
	}
	twice := 0
	for _, n := range sent {
		twice += n - 1
	}
	if twice == 0 || twice > 8 || len(sent) < 30 {
		t.Errorf("of %d texts %d were sent again", len(sent), twice)
	}
}

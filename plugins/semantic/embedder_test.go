package semantic

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
)

// topicService embeds a text as the number of words of each topic in it.
func topicService(t *testing.T, texts *atomic.Int64) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct{ Input []string }
		if r.Header.Get("Authorization") != "Bearer sk-hush" || json.NewDecoder(r.Body).Decode(&req) != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		texts.Add(int64(len(req.Input)))
		var rows []string
		for _, text := range req.Input {
			counts := [3]int{}
			for i, name := range []string{"tyre", "battery", "face"} {
				for word := range strings.FieldsSeq(topics[name]) {
					counts[i] += strings.Count(text, word)
				}
			}
			rows = append(rows, fmt.Sprintf(`{"embedding":[%d,%d,%d,0.1]}`, counts[0], counts[1], counts[2]))
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(rows, ","))
	}))
	t.Cleanup(s.Close)
	return s
}

func embeddingConfig(url string) string {
	return fmt.Sprintf(`{"least":0.3,"embedding":{"url":%q,"model":"m","key_env":"SAGASU_TEST_KEY","batch":7}}`, url+"/v1")
}

func TestServiceGivesTheVectors(t *testing.T) {
	t.Setenv("SAGASU_TEST_KEY", "sk-hush")
	var asked atomic.Int64
	service := topicService(t, &asked)
	index, state := t.TempDir(), t.TempDir()
	ctx := surroundings(t, state)
	rows := append(texts(30, 1), row{"900000", []string{"", "", "", ""}})
	req := sdk.Request{Corpus: publishIn(t, index, 1, rows), Query: sdk.Query{Text: "マスクで遮蔽された画像"}, Limit: 50}
	s := newStrategy(t, embeddingConfig(service.URL))
	got := sectionsOf(search(t, ctx, s, req))
	if len(got) != 10 {
		t.Errorf("found %d of 10", len(got))
	}
	for _, id := range got {
		if id%3 != 2 {
			t.Errorf("section %d is of another topic", id)
		}
	}
	if n := asked.Load(); n != 30+1 {
		t.Errorf("%d texts were sent for 30 sections and a query", n)
	}
	// A merged index moves the sections. What was paid for is not requested again.
	req.Corpus = publishIn(t, index, 2, append(texts(30, 1), texts(33, 1)[30:]...))
	search(t, ctx, newStrategy(t, embeddingConfig(service.URL)), req)
	if n := asked.Load(); n != 31+3+1 {
		t.Errorf("%d texts were sent, want those of 3 new sections and of a query more", n)
	}
	keyIsNowhere(t, state)
}

// TestFolderGivesTheVectors compares word vectors that point in the direction of the word's topic.
func TestFolderGivesTheVectors(t *testing.T) {
	var words strings.Builder
	for i, name := range []string{"tyre", "battery", "face"} {
		for word := range strings.FieldsSeq(topics[name]) {
			v := [3]int{}
			v[i] = 1
			fmt.Fprintln(&words, word, v[0], v[1], v[2])
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "w.vec"), []byte(words.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, ctx := newStrategy(t, fmt.Sprintf(`{"least":0.3,"embedding":{"dir":%q}}`, dir)), surroundings(t, t.TempDir())
	req := sdk.Request{Corpus: publish(t, 1, texts(30, 1)), Query: sdk.Query{Text: "electrolyte and anode"}, Limit: 50}
	got := sectionsOf(search(t, ctx, s, req))
	if len(got) != 10 || slices.ContainsFunc(got, func(id uint32) bool { return id%3 != 1 }) {
		t.Errorf("found %v", got)
	}
	req.Query.Text = "unheard"
	if res := search(t, ctx, s, req); len(res.Candidates) > 0 || len(res.Warnings) != 1 {
		t.Errorf("an unknown word: %+v", res)
	}
	out, err := Entry().Launch(sdk.Configuration{Table: map[string]any{"embedding": map[string]any{"dir": dir}}})
	if err != nil || len(out.Reads) != 1 || out.Reads[0].Value != dir || len(out.Network) > 0 {
		t.Errorf("it starts with %+v, %v", out, err)
	}
}

func keyIsNowhere(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if b, err := os.ReadFile(f); err != nil || strings.Contains(string(b), "hush") {
			t.Errorf("%s holds the key (%v)", f, err)
		}
	}
}

func TestServiceFails(t *testing.T) {
	t.Setenv("SAGASU_TEST_KEY", "sk-wrong")
	var asked atomic.Int64
	service := topicService(t, &asked)
	s := newStrategy(t, embeddingConfig(service.URL))
	_, err := s.Search(surroundings(t, t.TempDir()), &sdk.Request{
		Corpus: publish(t, 1, texts(9, 1)), Query: sdk.Query{Text: "tyre"}, Limit: 5,
	})
	if err == nil || !strings.Contains(err.Error(), "401") || strings.Contains(err.Error(), "sk-wrong") {
		t.Errorf("a refused key: %v", err)
	}
}

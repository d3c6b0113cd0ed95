package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// TestACollectionElsewhere installs a gatherer and searches the sample's index as its collection.
func TestACollectionElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds an executable")
	}
	env, engine := environment(t), filepath.Join(t.TempDir(), "engine")
	build := exec.Command("go", "build", "-o", engine, "../collection/testdata/engine/main")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := func(more []string, args ...string) (out, errs string, err error) {
		c := exec.Command(binary, args...)
		var stdout, stderr strings.Builder
		c.Env, c.Stdout, c.Stderr = slices.Concat(env, []string{"STRATEGY_TIME_MS=60000"}, more), &stdout, &stderr
		err = c.Run()
		return stdout.String(), stderr.String(), err
	}
	cache := t.TempDir()
	if _, errs, err := run([]string{"SAGASU_CACHE_DIR=" + cache}, "index", "--workspace", sample(t)); err != nil {
		t.Fatal(err, errs)
	}
	found, err := filepath.Glob(filepath.Join(cache, "index", "*", "CURRENT-manual"))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	index := filepath.Dir(found[0])
	const unexamined = "gathers was not examined: every request was refused: it is not configured"
	if out, errs, _ := run(nil, "plugin", "check", engine); !strings.Contains(out, unexamined) {
		t.Error(out, errs)
	}
	config := `{"url": "engine://` + filepath.ToSlash(index) + `"}`
	if out, errs, err := run(nil, "plugin", "check", engine, "--read", index, "--config", config); err != nil || strings.Contains(out, "not examined") {
		t.Error(out, errs, err)
	}
	out, errs, err := run(nil, "plugin", "install", engine, "--read", index, "--env", "COLLECTION_API_KEY")
	if err != nil || !strings.Contains(out, "where COLLECTION_URL begins with engine://") {
		t.Fatal(out, errs, err)
	}
	empty, at := t.TempDir(), "COLLECTION_URL=engine://"+filepath.ToSlash(index)
	call := func(tool, args string, into any) {
		t.Helper()
		out, errs, err := run([]string{at}, "call", tool, args, "--workspace", empty)
		if err != nil || json.Unmarshal([]byte(out), into) != nil {
			t.Fatalf("%s: %v\n%s%s", tool, err, out, errs)
		}
	}
	var answer search.Answer
	call("manual_find", `{"query": "warranty period"}`, &answer)
	if len(answer.Passages) == 0 || answer.Passages[0].Path != "en/safety-and-warranty.md" || len(answer.Warnings) > 0 {
		t.Errorf("%+v", answer)
	}
	var hits struct{ Lines []string }
	call("manual_hits", `{"trace_id": "`+answer.TraceID+`", "format": "lines"}`, &hits)
	if len(hits.Lines) == 0 || !strings.Contains(hits.Lines[0], "three years") {
		t.Errorf("%q", hits.Lines)
	}
	var text struct{ Text string }
	call("manual_read", `{"ref": {"manual_id": "aoba-nas", "path": "en/safety-and-warranty.md", "start_line": 21}}`, &text)
	if !strings.Contains(text.Text, "three years from the date of purchase") {
		t.Errorf("%q", text.Text)
	}
	var toc struct{ Total int }
	if call("manual_toc", `{"manual_id": "aoba-nas", "path_prefix": "en"}`, &toc); toc.Total < 2 {
		t.Errorf("%d files", toc.Total)
	}
	if call("manual_toc", `{"manual_id": "aoba-nas", "path_prefix": "en/safety-"}`, &toc); toc.Total != 1 {
		t.Errorf("%d files begin so", toc.Total)
	}
	var report struct {
		Broken     bool
		Collection struct {
			Reached    bool
			Generation string
			Sections   int
			Answered   int `json:"shards_answered"`
		}
	}
	const engineKey = "sesame-7f3a"
	out, errs, err = run([]string{at, "COLLECTION_API_KEY=" + engineKey}, "doctor", "--json", "--workspace", empty)
	if err != nil || json.Unmarshal([]byte(out), &report) != nil || strings.Contains(out+errs, engineKey) {
		t.Errorf("doctor: %v\n%s%s", err, out, errs)
	}
	if c := report.Collection; report.Broken || !c.Reached || c.Generation != "1" || c.Sections < 50 || c.Answered != 3 {
		t.Errorf("%+v", report)
	}
	out, errs, err = run([]string{at, "COLLECTION_API_KEY=wrong"}, "doctor", "--workspace", empty)
	if err == nil || !strings.Contains(out, "the collection cannot be searched: COLLECTION_URL (environment)") {
		t.Errorf("doctor with a wrong key: %v\n%s%s", err, out, errs)
	}
	for _, wrong := range []struct {
		env  []string
		args []string
		want string
	}{
		{[]string{at}, []string{"call", "manual_ls", "{}"}, "manual_ls is switched off: it needs the files"},
		{[]string{at}, []string{"ls"}, "lie in a collection elsewhere: search that with sagasu find"},
		{[]string{at, "COLLECTION_API_KEY=wrong"}, []string{"find", "disk"}, "the key of COLLECTION_API_KEY is refused"},
		{[]string{"COLLECTION_URL=engine:///nowhere/x"}, []string{"find", "disk"}, "there is no collection at engine:///nowhere/x"},
		{[]string{"COLLECTION_URL=other://a/b"}, []string{"find", "disk"}, "no strategy gathers from other://; it must start with one of weaviate://, weaviates://, engine://"},
		{[]string{"COLLECTION_URL=engine://me:xyzzy@a/b"}, []string{"find", "disk"}, "must hold no user, key or options"},
		{[]string{"COLLECTION_URL=engine"}, []string{"find", "disk"}, "must look like"},
		{[]string{at, "MANUALS_ROOT=" + empty}, []string{"find", "disk"}, "are both set"},
	} {
		out, errs, err := run(wrong.env, append(wrong.args, "--workspace", empty)...)
		first, _, _ := strings.Cut(errs, "\n")
		if err == nil || !strings.Contains(first+out, wrong.want) || strings.Contains(errs+out, "xyzzy") {
			t.Errorf("%v: %v %q %s, want %q", wrong.env, err, errs, out, wrong.want)
		}
	}
	if _, errs, err := run([]string{"COLLECTION_URL=engine:///nowhere/x"}, "index", "--workspace", sample(t)); err != nil {
		t.Errorf("index beside a collection that is yet to be filled: %v\n%s", err, errs)
	}
	if left, _ := filepath.Glob(filepath.Join(empty, "*")); len(left) > 0 {
		t.Errorf("the workspace holds %v", left)
	}
	_ = os.Remove(engine) // some systems hold it a while
}

// TestUploadsHoldVectors is seen by a model that cannot be read.
func TestUploadsHoldVectors(t *testing.T) {
	for _, as := range []string{"manual", "publication"} {
		c := exec.Command(binary, "index", "--to", "weaviate://127.0.0.1:1/docs", "--as", as, "--workspace", sample(t))
		c.Env = append(environment(t), "EMBED_DIR="+t.TempDir(), "PUBLICATIONS_ROOT="+publicationsRoot(t))
		out, err := c.CombinedOutput()
		want := map[string]string{"manual": "neither model.safetensors", "publication": "cannot be reached"}[as]
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v\n%s", as, err, out)
		}
	}
}

func publicationsRoot(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("..", "..", "..", "testdata", "publications"))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestUploadsOfPublicationsSayThatNothingSearchesThem is told before an upload of days begins.
func TestUploadsOfPublicationsSayThatNothingSearchesThem(t *testing.T) {
	publications := publicationsRoot(t)
	for as, want := range map[string]bool{"manual": false, "publication": true} {
		c := exec.Command(binary, "index", "--to", "weaviate://127.0.0.1:1/docs", "--as", as, "--workspace", sample(t))
		var errs strings.Builder
		c.Env, c.Stderr = append(environment(t), "PUBLICATIONS_ROOT="+publications), &errs
		err := c.Run()
		note, failure := strings.Index(errs.String(), "no tool searches"), strings.Index(errs.String(), "cannot be reached")
		if err == nil || failure < 0 || want != (note >= 0 && note < failure) {
			t.Errorf("%s: %v\n%s", as, err, errs.String())
		}
	}
}

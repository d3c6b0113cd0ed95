package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// traffic is what many callers ask of one program, and what they were answered.
type traffic struct {
	t       *testing.T
	app     *app.App
	home    string
	tools   []toolset.Tool
	schemas map[string]*jsonschema.Schema
	wanted  map[string]bool // kinds of arguments that answers give

	calls atomic.Int64
	quiet sync.RWMutex // held to read by who calls
	mu    sync.Mutex
	seen  map[string][]any // values of earlier answers, by what they are
	told  map[toolset.Code]int
	asked map[string]int // calls by tool
	taken []taken        // the slowest, slowest first
	late  []taken        // those that took too long
}

// taken is how long a call took.
type taken struct {
	tool      string
	arguments string
	time      time.Duration
	allowed   time.Duration // 0 where nothing bounds it
	waited    time.Duration // by threads of the process for a processor, where it is bounded
}

func (x taken) String() string {
	return fmt.Sprintf("%s took %v (allowed %v, waited %v): %.600s", x.tool, x.time.Round(time.Millisecond), x.allowed, x.waited.Round(time.Millisecond), x.arguments)
}

// waited is how long threads of this process have waited for a processor, all of them together.
func waited() (all time.Duration) {
	threads, _ := filepath.Glob("/proc/self/task/*/schedstat")
	for _, thread := range threads {
		var ran, waited time.Duration
		stat, _ := os.ReadFile(thread) // empty for one that has ended
		fmt.Sscan(string(stat), &ran, &waited)
		all += waited
	}
	return all
}

// openTraffic opens a program in this process over every product. Its log is silent.
func openTraffic(t *testing.T, flags []string) *traffic {
	t.Helper()
	home := t.TempDir()
	values := map[string]string{"HOME": home, "LOG_LEVEL": "off"}
	for i := 0; i < len(flags); i += 2 {
		name := map[string]string{"--workspace": "WORKSPACE_ROOT", "--logic-root": "LOGIC_ROOT", "--toolsets": "TOOLSETS"}[flags[i]]
		values[name] = flags[i+1]
	}
	a, err := openFrom(t.Context(), workspace.LoadOptions{Getenv: func(name string) string { return values[name] }}, compiledIn(), nil)
	if err != nil {
		t.Fatal(err)
	}
	f := &traffic{t: t, app: a, home: home, tools: a.Tools.Tools(), schemas: map[string]*jsonschema.Schema{}, wanted: map[string]bool{"next_actions": true}, seen: map[string][]any{}, told: map[toolset.Code]int{}, asked: map[string]int{}}
	for _, tool := range f.tools {
		var s jsonschema.Schema
		if err := json.Unmarshal(tool.Input(), &s); err != nil {
			t.Fatal(err)
		}
		f.schemas[tool.Name] = &s
		f.want(&s)
	}
	delete(f.wanted, "query")
	delete(f.wanted, "content")
	return f
}

// want notes the kinds of a schema's arguments.
func (f *traffic) want(s *jsonschema.Schema) {
	for name, property := range s.Properties {
		f.wanted[kindOf(name)] = true
		f.want(property)
		if property.Items != nil {
			f.want(property.Items)
		}
	}
}

// caller is one client.
type caller struct {
	*traffic
	writer
	session *toolset.Session
	kept    []kept
}

// kept is an answer that a caller keeps longer than the snapshot that it was made from.
type kept struct {
	answer any
	was    []byte
}

// mostKept is how many answers a caller keeps.
const mostKept = 16

// keepAnswer checks that the answer that was kept longest is what it was, and keeps another in its place.
func (c *caller) keepAnswer(k kept) {
	if c.kept = append(c.kept, k); len(c.kept) <= mostKept {
		return
	}
	oldest := c.kept[0]
	c.kept = slices.Delete(c.kept, 0, 1)
	if now, err := json.Marshal(oldest.answer); err != nil || !bytes.Equal(now, oldest.was) {
		c.t.Errorf("the answer %.2000s became %.2000s: %v", oldest.was, now, err)
	}
}

func (f *traffic) caller(seed, n uint64) *caller {
	return &caller{traffic: f, writer: newWriter(seed, n), session: &toolset.Session{}}
}

// grace is how much longer than its time a call may take.
const grace = 300 * time.Millisecond

// call calls a tool, in a few cases with a deadline or with JSON that was damaged.
func (c *caller) call(tool string, arguments any) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		c.t.Error(err)
		return
	}
	if c.often(200) {
		raw = c.put(raw, pick(c.Rand, []string{"\xff", "\x00", "}", `"`, "1e999", `"a":1,`}))
	}
	var allowed time.Duration
	if c.often(8) {
		allowed = time.Duration(1+c.IntN(1+c.IntN(1000))) * time.Millisecond
	}
	c.send(tool, raw, allowed)
}

// send calls a tool that has so much time, 0 for any, and checks that its answer is one.
func (c *caller) send(tool string, raw json.RawMessage, allowed time.Duration) (result map[string]any, failed *toolset.Error) {
	ctx, cancel := c.t.Context(), func() {}
	if allowed > 0 {
		ctx, cancel = context.WithTimeout(ctx, allowed)
	}
	defer cancel()
	if own := timeOf(raw); own > 0 && (allowed == 0 || own < allowed) {
		allowed = own
	}
	var before time.Duration
	if allowed > 0 {
		before = waited()
	}
	began := time.Now()
	answer, failed := c.app.Tools.Call(ctx, tool, raw, c.session)
	x := taken{tool: tool, arguments: string(raw), time: time.Since(began), allowed: allowed}
	if allowed > 0 {
		x.waited = waited() - before
	}
	c.took(x)
	c.calls.Add(1)
	encoded, err := json.Marshal(answer)
	if err == nil {
		decoder := json.NewDecoder(bytes.NewReader(encoded))
		decoder.UseNumber() // an error may show a number that it was given
		err = decoder.Decode(&result)
	}
	switch {
	case err != nil:
		c.t.Errorf("%s(%.2000s) answers what is no JSON object: %v", tool, raw, err)
	case failed == nil:
		c.count("ok")
		c.learn(result)
		c.keepAnswer(kept{answer, encoded})
	default:
		c.count(failed.Code)
		_, timed := ctx.Deadline() // which a strategy may see end before it ends here
		if failed.Code == toolset.Internal || failed.Code == toolset.BackendError && !timed {
			c.t.Errorf("%s(%.2000s): %v: %v", tool, raw, failed, errors.Unwrap(failed))
		}
		c.learn(failed.Details)
	}
	return result, failed
}

// timeOf is the time that a call's budget gives it, 0 for none.
func timeOf(raw json.RawMessage) time.Duration {
	var call struct {
		Budget struct {
			TimeMS int `json:"time_ms"`
		}
	}
	if json.Unmarshal(raw, &call) != nil {
		return 0
	}
	return time.Duration(call.Budget.TimeMS) * time.Millisecond
}

func (f *traffic) count(code toolset.Code) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.told[code]++
}

func (f *traffic) took(x taken) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked[x.tool]++
	if x.allowed > 0 && x.time > x.allowed+grace {
		f.late = append(f.late, x)
	}
	at, _ := slices.BinarySearchFunc(f.taken, x, func(a, b taken) int { return cmp.Compare(b.time, a.time) })
	if at < 10 {
		f.taken = slices.Insert(f.taken, at, x)
		f.taken = f.taken[:min(10, len(f.taken))]
	}
}

// kinds are what members with other names hold: what one call answers another may ask for.
var kinds = map[string]string{
	"only_unscanned_from_trace_id": "trace_id", "base_run_id": "run_id", "run_id_lane": "run_id", "pub_ids": "pub_id", "from_ref": "ref",
	"from_path": "path", "to_path": "path", "artifact_path": "path", "source_path": "path", "written_path": "path", "path_prefix": "path", "relative_dir": "path", "glob": "path",
	"cursor": "next_cursor", "offset": "next_cursor", "expected_sha256": "sha256", "range": "applied_range", "cited_ranges": "applied_range",
	"question": "query", "text": "query", "find": "query", "excerpt": "query",
}

func kindOf(name string) string { return cmp.Or(kinds[name], name) }

// mostSeen bounds what is kept of a kind.
const mostSeen = 100

// learn keeps values of an answer for later calls.
func (c *caller) learn(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.keep(kindOf(name), v[name])
			c.learn(v[name])
		}
	case []any:
		for i, x := range v {
			if i == 5 {
				return
			}
			c.learn(x)
		}
	}
}

func (c *caller) keep(kind string, v any) {
	if list, ok := v.([]any); ok && len(list) > mostSeen {
		v = slices.Clone(list[:mostSeen])
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.wanted[kind] || v == nil {
		return
	}
	if seen := c.seen[kind]; len(seen) < mostSeen {
		c.seen[kind] = append(seen, v)
	} else {
		seen[c.IntN(mostSeen)] = v
	}
}

// recalled is a value of that kind that an answer had, nil for none.
func (c *caller) recalled(kind string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seen[kind]) == 0 {
		return nil
	}
	return pick(c.Rand, c.seen[kind])
}

// ask calls a tool with arguments made at random, or as an answer proposed.
func (c *caller) ask(tool toolset.Tool) {
	if proposed, _ := c.recalled("next_actions").([]any); len(proposed) > 0 && c.often(20) {
		action := pick(c.Rand, proposed).(map[string]any)
		if name, _ := action["type"].(string); name != "stop" {
			c.call(name, action["params"])
			return
		}
	}
	var example map[string]any
	if err := json.Unmarshal(tool.Example, &example); err != nil {
		c.t.Fatal(err)
	}
	c.call(tool.Name, c.object(c.schemas[tool.Name], example))
}

// object makes an argument object: what is required nearly always, of the rest some.
func (c *caller) object(s *jsonschema.Schema, example map[string]any) map[string]any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if given := slices.Contains(s.Required, name); given && c.often(100) || !given && c.IntN(3) > 0 {
			continue
		}
		out[name] = c.value(name, s.Properties[name], example[name])
	}
	if c.often(60) {
		out[pick(c.Rand, []string{"querry", "", "Query", "params", "limit ", "\x00", "ref"})] = c.wrong()
	}
	return out
}

// wrong is what no argument expects, or few.
func (c *caller) wrong() any {
	return pick(c.Rand, []any{
		nil, true, -1, 0, 1.5, 1 << 40, json.Number("1e30"), "10", "", " ", "x", []any{}, []any{nil}, map[string]any{}, map[string]any{"": nil}, []any{[]any{}},
		json.RawMessage("99999999999999999999"), json.RawMessage(`"\ud800"`), json.RawMessage("-0.0"), json.RawMessage("1e400"),
	})
}

// value makes the value of an argument: of the example, of an earlier answer, new or wrong.
func (c *caller) value(name string, s *jsonschema.Schema, example any) any {
	if c.often(40) {
		return c.wrong()
	}
	if len(s.AnyOf) > 0 {
		s = pick(c.Rand, s.AnyOf)
	}
	kind := cmp.Or(s.Type, append(s.Types, "null")[0])
	if v := c.recalled(kindOf(name)); v != nil && typeOf(v) == kind && c.IntN(4) > 0 {
		return v
	}
	if len(s.Enum) > 0 {
		return pick(c.Rand, s.Enum)
	}
	switch kind {
	case "object":
		given, _ := example.(map[string]any)
		if s.Properties != nil {
			return c.object(s, given)
		}
		return c.open(s, given)
	case "array":
		given, _ := example.([]any)
		out := []any{}
		for i := range c.IntN(1 + c.IntN(5)) {
			out = append(out, c.value(name, cmp.Or(s.Items, &jsonschema.Schema{}), append(given[min(i, len(given)):], nil)[0]))
		}
		return out
	case "string":
		return c.text(name, example)
	case "integer", "number":
		return c.number(s)
	case "boolean":
		return c.often(2)
	}
	return cmp.Or[any](example, c.wrong())
}

// open makes an object whose members its schema does not name.
func (c *caller) open(s *jsonschema.Schema, example map[string]any) map[string]any {
	out := maps.Clone(example)
	if out == nil || c.often(4) {
		out = map[string]any{}
	}
	members := cmp.Or(s.AdditionalProperties, &jsonschema.Schema{})
	for range c.IntN(3) {
		name := pick(c.Rand, []string{"title", "abst", "claim", "desc", "fulltext", "semantic", "code", "facet", "lane", "rep", "fi", "ft", "ipc", "cpc", "recall", c.words()})
		out[name] = c.value(name, members, example[name])
	}
	return out
}

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	}
	return ""
}

func (c *caller) text(name string, example any) string {
	if text, ok := example.(string); ok && c.often(3) {
		return text
	}
	switch kindOf(name) {
	case "query":
		return c.query()
	case "content":
		_, text := c.document()
		return string(text)
	case "path", "id", "manual_id":
		return c.path()
	}
	return c.words()
}

// path is one that may be, or one that must be refused.
func (c *caller) path() string {
	switch c.IntN(4) {
	case 0:
		return pick(c.Rand, []string{
			"", ".", "..", "../x.md", "/etc/passwd", `a\b.md`, "C:/x.md", "a\x00.md", "a\nb.md", "artifacts/daily/2026-01-31.md", ".system/x", "*.md", "**", "[", "a/./b.md",
			"dir::edited::", "file::edited::edited-01.md", "dir::..::x", "e\u0301.md", strings.Repeat("a/", 200) + "x.md", strings.Repeat("あ", 300) + ".md", "edited", " edited ",
		})
	case 1:
		return c.words()
	}
	return fmt.Sprintf("%s%sedited-%02d%s", pick(c.Rand, []string{"", "edited/", "docs/", "artifacts/", "notes/"}), pick(c.Rand, []string{"", "", "deep/"}), c.IntN(editedFiles), pick(c.Rand, []string{".md", ".json"}))
}

// number is within its bounds, at them or beyond.
func (c *caller) number(s *jsonschema.Schema) any {
	low, high := 0.0, 200.0
	if s.Minimum != nil {
		low = *s.Minimum
	}
	if s.Maximum != nil {
		high = *s.Maximum
	}
	edges := []any{low, high, low - 1, high + 1, low + 1, json.Number("9223372036854775807"), -1, fmt.Sprint(int(high))}
	if c.often(5) {
		return pick(c.Rand, edges)
	}
	return int(low) + c.IntN(int(min(high-low, 2000))+1)>>c.IntN(10)
}

// editedFiles is how many files of a folder are edited.
const editedFiles = 12

// editor changes files below folders while calls run.
type editor struct {
	writer
	folders      []string
	publications string // the folder of the collections
	edits        map[string]int
}

// edit does one thing to one file. Failures are those of files in another state than expected.
func (e *editor) edit() {
	ext, text := e.document()
	folder := pick(e.Rand, e.folders)
	name := func() string {
		return filepath.Join(folder, pick(e.Rand, []string{"", "", "deep"}), fmt.Sprintf("edited-%02d%s", e.IntN(editedFiles), ext))
	}
	at := name()
	what := pick(e.Rand, []string{"write", "write", "write", "replace", "append", "truncate", "grow", "rename", "delete", "folder", "link", "dangling", "pipe", "mode"})
	e.edits[what]++
	if info, err := os.Lstat(at); err == nil && !info.Mode().IsRegular() {
		os.RemoveAll(at)
	}
	os.MkdirAll(filepath.Dir(at), 0o755)
	switch what {
	case "write":
		os.WriteFile(at, text, 0o644)
	case "replace":
		if os.WriteFile(at+"~", text, 0o644) == nil {
			os.Rename(at+"~", at)
		}
	case "append", "grow":
		if what == "grow" {
			text = []byte(strings.Repeat(string(text), 1+20_000/(len(text)+1)))
		}
		if info, err := os.Stat(at); err == nil && info.Size() > 1<<16 {
			os.Truncate(at, 1000)
		}
		if f, err := os.OpenFile(at, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644); err == nil {
			f.Write(text)
			f.Close()
		}
	case "truncate":
		os.Truncate(at, int64(e.IntN(100)))
	case "rename":
		os.Rename(at, name())
	case "delete":
		os.Remove(at)
	case "folder":
		os.Remove(at)
		os.Mkdir(at, 0o755)
	case "link", "dangling":
		os.Remove(at)
		os.Symlink(map[string]string{"link": "/etc/passwd", "dangling": "nowhere"}[what], at)
	case "pipe":
		os.Remove(at)
		syscall.Mkfifo(at, 0o644)
	case "mode":
		os.Chmod(at, pick(e.Rand, []fs.FileMode{0, 0o644}))
	}
}

// editPause is how long files are left alone.
const editPause = 100 * time.Millisecond

func every(stop <-chan struct{}, pause time.Duration, do func()) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(pause):
			do()
		}
	}
}

// run calls tools from callers at once, half of the calls being searches of the manuals, while files change.
func (f *traffic) run(seed uint64, callers int, calls int64, e *editor, each func(done int64)) {
	find := slices.IndexFunc(f.tools, func(t toolset.Tool) bool { return t.Name == "manual_find" })
	others := slices.Delete(slices.Clone(f.tools), find, find+1)
	var editing, asking sync.WaitGroup
	stop := make(chan struct{})
	editing.Go(func() { every(stop, editPause, e.edit) })
	publisher := newWriter(seed, 1<<33)
	editing.Go(func() { every(stop, 100*editPause, func() { publisher.publish(e.publications) }) })
	var begun atomic.Int64
	for i := range callers {
		asking.Go(func() {
			c := f.caller(seed, uint64(i))
			for n := begun.Add(1); n <= calls; n = begun.Add(1) {
				tool := f.tools[find]
				if n%2 == 0 {
					tool = pick(c.Rand, others)
				}
				f.quiet.RLock()
				c.ask(tool)
				f.quiet.RUnlock()
				if each != nil {
					each(n)
				}
			}
		})
	}
	asking.Wait()
	close(stop)
	editing.Wait()
}

// trafficEverywhere opens a program over every product, and returns what edits its files.
func trafficEverywhere(t *testing.T, seed uint64) (*traffic, *editor) {
	t.Helper()
	root, logic, flags := everyProduct(t)
	e := &editor{writer: newWriter(seed, 1<<32), edits: map[string]int{}, publications: filepath.Join(root, "publications")}
	for _, folder := range []string{"manuals/edited", "vault/notes", "vault/artifacts"} {
		e.folders = append(e.folders, filepath.Join(root, folder))
	}
	e.folders = append(e.folders, filepath.Join(logic, "backend"), filepath.Join(logic, "openspec", "specs"))
	return openTraffic(t, flags), e
}

// Whatever tools are asked for while files change, they answer or say what is wrong.
func TestTrafficOfEveryTool(t *testing.T) {
	seed := seedOf(t)
	f, e := trafficEverywhere(t, seed)
	f.run(seed, 4, 500, e, nil)
	if err := f.app.Close(); err != nil {
		t.Error(err)
	}
	f.report()
}

func (f *traffic) report() {
	f.t.Logf("%d calls, %d late, answers by code %v, calls by tool %v", f.calls.Load(), len(f.late), f.told, f.asked)
	for _, x := range slices.Concat(f.taken, f.late[:min(20, len(f.late))]) {
		f.t.Log(x)
	}
}

// seedOf is SAGASU_SEED, or new; it is logged.
func seedOf(t *testing.T) uint64 {
	seed := rand.Uint64()
	if raw := os.Getenv("SAGASU_SEED"); raw != "" {
		if _, err := fmt.Sscan(raw, &seed); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("SAGASU_SEED=%d", seed)
	return seed
}

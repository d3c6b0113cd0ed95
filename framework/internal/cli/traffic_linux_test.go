package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/plugins"
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

// waited returns how long threads of this process have waited for a processor, all of them together.
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
	a, err := app.Open(t.Context(), app.Options{
		Sources:    workspace.LoadOptions{Getenv: func(name string) string { return values[name] }},
		Strategies: plugins.Bundled(),
	})
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

// want records the kinds of a schema's arguments.
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

// mapped returns a string of an answer that lies in a file of an index, "" for none: it is lost with its snapshot.
func mapped(t *testing.T, answer any) (found string) {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	var files [][2]uintptr
	for line := range strings.Lines(string(maps)) {
		var from, to uintptr
		if _, err := fmt.Sscanf(line, "%x-%x ", &from, &to); err == nil && strings.Contains(line, ".seg") {
			files = append(files, [2]uintptr{from, to})
		}
	}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			at := uintptr(unsafe.Pointer(unsafe.StringData(v.String())))
			if slices.ContainsFunc(files, func(f [2]uintptr) bool { return f[0] <= at && at < f[1] }) {
				found = v.String()
			}
		case reflect.Pointer, reflect.Interface:
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			if v.Type().Elem().Kind() != reflect.Uint8 {
				for i := range v.Len() {
					walk(v.Index(i))
				}
			}
		case reflect.Map:
			for i := v.MapRange(); i.Next(); {
				walk(i.Key())
				walk(i.Value())
			}
		}
	}
	walk(reflect.ValueOf(answer))
	return found
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
	told := answer
	if failed != nil {
		told = []any{failed.Message, failed.Details}
	}
	if lost := mapped(c.t, told); lost != "" {
		c.t.Errorf("%s(%.2000s): %q is lost with its snapshot", tool, raw, lost)
	}
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

// timeOf returns the time that a call's budget gives it, 0 for none.
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

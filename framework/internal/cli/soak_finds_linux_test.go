//go:build soak

package cli

import (
	"encoding/json"
	"errors"
	"fmt"
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

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/plugins"
)

const (
	soakFinds  = 1000
	soakAtOnce = 16
)

// soakQueries are asked in turn, each with a number of its own behind it.
var soakQueries = []string{
	"RAIDの構築", "保険金が支払われない場合", "免責金額はいくらですか", "切り戻しに承認は要りますか", "無停電電源装置の電池の寿命と交換手順",
	"how do I replay dead letters", "what is not covered by the warranty", "deployment windows and the freeze", "E-1042", "what is a fingerprint",
}

// TestFindsWhileStrategiesDie asks a server many things at once while its
// strategies are killed and stopped and a manual is edited. With one of them
// spared, each in a process of its own, every search finds something; with none,
// a search may say that nothing is left to search with, and only then.
func TestFindsWhileStrategiesDie(t *testing.T) {
	for _, spared := range []string{"normalized", ""} {
		t.Run("spared "+spared, func(t *testing.T) { findsInAStorm(t, spared) })
	}
}

func findsInAStorm(t *testing.T, spared string) {
	dir, temp := t.TempDir(), t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample(t))); err != nil {
		t.Fatal(err)
	}
	env := append(environment(t), "TMPDIR="+temp)
	c := connect(t, env, "--workspace", dir, "--strategy-time-ms", "1000")
	s := &storm{crowd: gather(c), spared: spared, harmed: map[string]int{}, named: map[string]int{}, path: filepath.Join(dir, "manuals", "aoba-nas", "draft.md")}
	s.recovers()
	if spared != "" {
		s.part()
	}
	began := time.Now()
	stop := make(chan struct{})
	var trouble, finds sync.WaitGroup
	trouble.Go(func() { every(stop, 100*time.Millisecond, s.harm) })
	trouble.Go(func() { every(stop, 300*time.Millisecond, s.edit) })
	for range soakAtOnce {
		finds.Go(s.ask)
	}
	finds.Wait()
	close(stop)
	trouble.Wait()
	s.later.Wait()
	t.Logf("%d finds in %v, %d of them complete, %d told that nothing is left; %d candidates read, %d refused after an edit; %d edits; harmed %v, named in warnings %v",
		s.asked.Load(), time.Since(began), s.whole.Load(), s.refused.Load(), s.reads.Load(), s.moved.Load(), len(s.edits), s.harmed, s.named)
	s.recovers()
	c.in.Close()
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("%v ended with %v\n%s", c, err, c.stderr)
	}
	nothingLeft(t, strings.TrimPrefix(env[0], "HOME="), temp)
}

// crowd calls one server from many goroutines.
type crowd struct {
	*client
	mu      sync.Mutex
	waiting map[int]chan json.RawMessage
}

// gather takes a client's connection over.
func gather(c *client) *crowd {
	g := &crowd{client: c, waiting: map[int]chan json.RawMessage{}}
	go g.listen()
	return g
}

func (g *crowd) listen() {
	for {
		line, err := g.out.ReadBytes('\n')
		if err != nil {
			g.mu.Lock()
			defer g.mu.Unlock()
			for id, reply := range g.waiting {
				delete(g.waiting, id)
				close(reply)
			}
			return
		}
		var message struct {
			ID     *int `json:"id"`
			Result struct {
				StructuredContent json.RawMessage `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal(line, &message); err != nil {
			g.t.Errorf("not JSON on stdout: %q", line)
			continue
		}
		if message.ID == nil {
			continue // a notification
		}
		g.mu.Lock()
		reply := g.waiting[*message.ID]
		delete(g.waiting, *message.ID)
		g.mu.Unlock()
		if reply == nil {
			g.t.Errorf("an answer to nobody: %s", line)
			continue
		}
		reply <- message.Result.StructuredContent
	}
}

// call calls a tool and decodes what it answers into result, an error's members too.
func (g *crowd) call(tool string, arguments map[string]any, result any) error {
	reply := make(chan json.RawMessage, 1)
	g.mu.Lock()
	g.id++
	g.waiting[g.id] = reply
	line, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": g.id, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
	})
	if err == nil {
		_, err = g.in.Write(append(line, '\n'))
	}
	g.mu.Unlock()
	if err != nil {
		return err
	}
	var raw json.RawMessage
	select {
	case raw = <-reply:
	case <-time.After(2 * time.Minute):
	}
	var failure struct {
		Error *toolset.Error
	}
	switch err := json.Unmarshal(raw, &failure); {
	case err != nil:
		return fmt.Errorf("%s: no answer: %w", tool, err)
	case failure.Error != nil:
		return failure.Error
	}
	return json.Unmarshal(raw, result)
}

// storm asks, harms and edits.
type storm struct {
	*crowd
	path   string // of the manual's file that is edited
	spared string // the strategy that is never harmed

	asked, whole, refused, reads, moved atomic.Int64
	later                               sync.WaitGroup // stopped processes that wait for their end

	state  sync.Mutex
	harmed map[string]int
	named  map[string]int // finds whose warnings name a strategy
	edits  []time.Time
}

// strategies returns the names that each process serves, by its id.
func (s *storm) strategies() map[int][]string {
	running := map[int][]string{}
	for _, pid := range children(s.t, s.cmd.Process.Pid) {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)) // it may have ended
		_, served, _ := strings.Cut(string(line), "\x00serve\x00")
		names := strings.Split(strings.TrimRight(served, "\x00"), "\x00")
		if slices.ContainsFunc(names, isBundled) {
			running[pid] = names
		}
	}
	return running
}

func isBundled(name string) bool {
	_, known := app.Strategies(plugins.Bundled()).Named(name)
	return known
}

// part kills the shared process until each strategy has its own.
func (s *storm) part() {
	for shared := true; shared; {
		shared = false
		for pid, names := range s.strategies() {
			if len(names) > 1 {
				shared = true
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		s.recovers()
	}
}

// harm kills a strategy, or stops it and kills it a while later.
func (s *storm) harm() {
	for pid, names := range s.strategies() { // in random order
		if slices.Contains(names, s.spared) {
			continue
		}
		s.state.Lock()
		for _, name := range names {
			s.harmed[name]++
		}
		s.state.Unlock()
		if rand.N(2) == 0 {
			syscall.Kill(pid, syscall.SIGKILL) // it may have ended by itself
			return
		}
		syscall.Kill(pid, syscall.SIGSTOP)
		s.later.Go(func() {
			time.Sleep(rand.N(1500 * time.Millisecond))
			if slices.Equal(s.strategies()[pid], names) {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		})
		return
	}
}

// edit writes a manual's file anew, with its sections at other lines.
func (s *storm) edit() {
	s.state.Lock()
	s.edits = append(s.edits, time.Now())
	text := strings.Repeat("\n", rand.N(5)) + "# Draft\n\nThe RAID fingerprint is E-1042.\n"
	s.state.Unlock()
	if err := os.WriteFile(s.path, []byte(text), 0o600); err != nil {
		s.t.Error(err)
	}
}

func (s *storm) editedSince(then time.Time) bool {
	s.state.Lock()
	defer s.state.Unlock()
	return len(s.edits) > 0 && s.edits[len(s.edits)-1].After(then)
}

// ask searches until enough has been asked, and checks each answer against its trace.
func (s *storm) ask() {
	for n := s.asked.Add(1); n <= soakFinds; n = s.asked.Add(1) {
		began := time.Now()
		arguments := map[string]any{"query": soakQueries[int(n)%len(soakQueries)], "use_cache": n%4 == 0}
		var answer search.Answer
		if err := s.call("manual_find", arguments, &answer); err != nil {
			if !s.rightlyRefused(err) {
				s.t.Errorf("find %d %v: %v", n, arguments, err)
			}
			continue
		}
		if answer.Summary.Candidates == 0 && s.spared != "" {
			s.t.Errorf("find %d %v found nothing: %q", n, arguments, answer.Warnings)
		}
		s.warned(&answer)
		s.consistent(&answer, began)
	}
	s.asked.Add(-1)
}

// rightlyRefused reports an error that says, rightly, that no strategy could search.
func (s *storm) rightlyRefused(err error) bool {
	var failure *toolset.Error
	if !errors.As(err, &failure) || failure.Code != toolset.NotAvailable || s.spared != "" {
		return false
	}
	s.refused.Add(1)
	s.state.Lock()
	defer s.state.Unlock()
	told := fmt.Sprint(failure.Details["warnings"])
	for _, name := range []string{"normalized", "loose", "synonym"} {
		if s.harmed[name] == 0 || !strings.Contains(told, name) {
			s.t.Errorf("%s was harmed %d times, and the error tells %s", name, s.harmed[name], told)
		}
	}
	return true
}

// warned checks that every warning names a strategy that was harmed, or tells of an edit that is not indexed yet.
func (s *storm) warned(answer *search.Answer) {
	if len(answer.Warnings) == 0 {
		s.whole.Add(1)
	}
	s.state.Lock()
	defer s.state.Unlock()
	for _, warning := range answer.Warnings {
		if len(s.edits) > 0 && (warning == "indexing" || strings.HasPrefix(warning, "files that are not indexed yet: 1;")) {
			continue
		}
		words := strings.FieldsFunc(warning, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') })
		i := slices.IndexFunc(words, func(w string) bool { return s.harmed[w] > 0 })
		if i < 0 {
			s.t.Errorf("the warning %q names none of the harmed %v", warning, s.harmed)
			continue
		}
		s.named[words[i]]++
	}
}

// consistent checks an answer's figures against its pages, and that what it found is there.
func (s *storm) consistent(answer *search.Answer, began time.Time) {
	for kind, want := range map[string]int{
		"candidates": answer.Summary.Candidates, "conflicts": answer.Summary.ConflictCount, "gaps": answer.Summary.GapCount,
	} {
		var page search.Hits
		if err := s.call("manual_hits", map[string]any{"trace_id": answer.TraceID, "kind": kind, "limit": 1000}, &page); err != nil {
			s.t.Error(err)
			continue
		}
		if page.Total != want || len(page.Items) != want {
			s.t.Errorf("%d %s told, %d in total, %d listed", want, kind, page.Total, len(page.Items))
		}
		if kind == "candidates" {
			s.readable(&page, began)
		}
	}
}

// readable reads the first candidates and one more at random.
func (s *storm) readable(page *search.Hits, began time.Time) {
	rows := page.Items[:min(2, len(page.Items))]
	if len(page.Items) > 2 {
		rows = append(slices.Clone(rows), page.Items[rand.N(len(page.Items))])
	}
	for _, row := range rows {
		ref := map[string]any{"manual_id": page.ManualID + row.Ref.ManualID, "path": row.Ref.Path}
		if row.Ref.StartLine > 0 {
			ref["start_line"] = row.Ref.StartLine
		}
		s.reads.Add(1)
		var text struct{ Text string }
		err := s.call("manual_read", map[string]any{"ref": ref}, &text)
		switch {
		case err != nil && row.Ref.Path == filepath.Base(s.path) && s.editedSince(began.Add(-time.Second)):
			s.moved.Add(1)
		case err != nil:
			s.t.Errorf("candidate %v: %v", ref, err)
		}
	}
}

// recovers waits until all searches are complete again, which has all strategies that they need run; the test's own
// time limit ends it.
func (s *storm) recovers() {
	began := time.Now()
	for i := 0; i < len(soakQueries); {
		var answer search.Answer
		if err := s.call("manual_find", map[string]any{"query": soakQueries[i], "use_cache": false}, &answer); err != nil {
			if !s.rightlyRefused(err) {
				s.t.Error(err)
				return
			}
		} else if len(answer.Warnings) == 0 {
			i++
			continue
		}
		time.Sleep(50 * time.Millisecond)
	}
	s.t.Logf("complete again after %v", time.Since(began))
}

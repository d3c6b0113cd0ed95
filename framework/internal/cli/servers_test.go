package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

const (
	serversDay    = "artifacts/daily/2026-01-31.md"
	serversCopies = "artifacts/daily/2026-02-01.md"
	serversCount  = "artifacts/count.md"
	serversLog    = "artifacts/log.md"
	serversKilled = 2 // of the servers 0, 1 and 2
)

// TestServersShareAVault lets three servers write the same files at once. One of them is killed amid its calls and
// started again: what was acknowledged is there once and whole, and what was not is there once or not at all.
func TestServersShareAVault(t *testing.T) {
	dir, env := withVault(t), environment(t)
	room := filepath.Join(dir, "vault")
	open := func() *client { return connect(t, env, "--workspace", dir) }
	servers := []*client{open(), open(), open()}
	for path, text := range map[string]string{
		serversDay: "", serversCopies: "", serversCount: "round -1 of 0\n", serversLog: "## Log\n",
	} {
		must[vault.Written](servers[0], "vault_create", map[string]any{"path": path, "content": text})
	}
	const rounds = 9
	var all []serverCall
	for round := range rounds {
		sum := sha256.Sum256([]byte(fileText(t, room, serversCount)))
		var calls []serverCall
		for i, c := range servers {
			calls = append(calls, sendAll(c, i, round, hex.EncodeToString(sum[:]))...)
		}
		for i, c := range servers {
			own := calls[i*len(calls)/3 : (i+1)*len(calls)/3]
			kill := -1
			if i == serversKilled && round%3 == 1 {
				kill = rand.IntN(len(own))
			}
			receiveAll(c, own, kill)
			if kill >= 0 {
				servers[i] = open()
			}
		}
		checkRound(t, room, round, calls)
		all = append(all, calls...)
	}
	for _, c := range servers {
		c.in.Close()
		if err := c.cmd.Wait(); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
	checkLines(t, "appended", fileText(t, room, serversDay), "- ", choose(all, "append"))
	checkLines(t, "logged", fileText(t, room, serversLog), "- ", choose(all, "log"))
	checkLines(t, "copied", fileText(t, room, serversCopies), "| RAID ", choose(all, "copy"))
	checkProvenance(t, room, choose(all, "copy"))
	checkVersions(t, room)
	checkLeftovers(t, room, open)
}

// serverCall is a call that a server was sent.
type serverCall struct {
	id, server, round int
	name              string
	answered          bool
	code              string // of its error
}

// mark returns the line that a call writes.
func (c serverCall) mark() string {
	if c.name == "copy" {
		return []string{"| RAID 0 |", "| RAID 1 |", "| RAID 5 |"}[c.server]
	}
	return fmt.Sprintf("- server %d round %d %s", c.server, c.round, strings.Repeat("x", 2000))
}

func choose(all []serverCall, name string) []serverCall {
	return slices.DeleteFunc(slices.Clone(all), func(c serverCall) bool { return c.name != name })
}

// sendAll sends a server its calls of a round; it does not wait for the replies.
func sendAll(c *client, server, round int, sum string) []serverCall {
	count := fmt.Sprintf("round %d of %d\n", round, server)
	line := 15 + server // of the table of kinds of RAID
	var calls []serverCall
	send := func(name, tool string, arguments map[string]any) {
		c.id++
		calls = append(calls, serverCall{id: c.id, server: server, round: round, name: name})
		c.send(map[string]any{
			"jsonrpc": "2.0", "id": c.id, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": arguments},
		})
	}
	mark := func(name string) string { return serverCall{server: server, round: round, name: name}.mark() + "\n" }
	send("append", "vault_write", map[string]any{"path": serversDay, "content": mark("append"), "mode": "append"})
	send("create", "vault_create", map[string]any{"path": fmt.Sprintf("notes/new-%d/same.md", round), "content": count})
	send("count", "vault_replace", map[string]any{
		"path": serversCount, "find": "round", "replace": count + "round", "expected_sha256": sum,
	})
	send("log", "vault_replace", map[string]any{"path": serversLog, "find": "## Log\n", "replace": "## Log\n" + mark("log")})
	send("copy", "bridge_copy_section", map[string]any{
		"from_ref": map[string]any{"manual_id": "aoba-nas", "path": "06-disk-raid.md"},
		"range":    map[string]any{"start_line": line, "end_line": line}, "to_path": serversCopies, "mode": "append",
	})
	return calls
}

// receiveAll receives the replies of calls. Unless it is negative, kill is how many come before the server is killed.
func receiveAll(c *client, calls []serverCall, kill int) {
	c.t.Helper()
	for n := 0; n < len(calls); n++ {
		if n == kill {
			c.cmd.Process.Kill()
		}
		line, err := c.out.ReadBytes('\n')
		if err != nil && kill >= 0 {
			c.cmd.Wait()
			return
		}
		var reply struct {
			ID     *int
			Result struct {
				IsError           bool
				StructuredContent struct{ Error struct{ Code string } }
			}
		}
		if err != nil || json.Unmarshal(line, &reply) != nil {
			c.t.Fatalf("%v says %q, %v\n%s", c, line, err, c.stderr)
		}
		if reply.ID == nil {
			n-- // a notification
			continue
		}
		at := slices.IndexFunc(calls, func(x serverCall) bool { return x.id == *reply.ID })
		calls[at].answered, calls[at].code = true, reply.Result.StructuredContent.Error.Code
	}
	if kill >= 0 {
		c.cmd.Wait()
	}
}

// checkRound holds that of the calls that exclude each other one succeeded, and the others are conflicts.
func checkRound(t *testing.T, room string, round int, calls []serverCall) {
	t.Helper()
	for name, path := range map[string]string{"create": fmt.Sprintf("notes/new-%d/same.md", round), "count": serversCount} {
		first, _, _ := strings.Cut(fileText(t, room, path), "\n")
		var at, of int
		if _, err := fmt.Sscanf(first, "round %d of %d", &at, &of); err != nil || at != round {
			t.Errorf("round %d: %s begins with %q", round, path, first)
		}
		for _, c := range choose(calls, name) {
			want := "conflict"
			if c.server == of {
				want = ""
			}
			if c.answered && c.code != want {
				t.Errorf("round %d: server %d wrote %s, and %s of server %d is %q", round, of, path, name, c.server, c.code)
			}
		}
	}
	for _, c := range calls {
		if c.name != "create" && c.name != "count" && c.code != "" {
			t.Errorf("%+v failed", c)
		}
	}
}

// checkLines holds that every line of a text that begins with prefix is of one of the calls, and that those that were
// answered are all there.
func checkLines(t *testing.T, what, text, prefix string, calls []serverCall) {
	t.Helper()
	there, answered, sent := map[string]int{}, map[string]int{}, map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, prefix) {
			at := slices.IndexFunc(calls, func(c serverCall) bool {
				return c.name == "copy" && strings.HasPrefix(line, c.mark()) || line == c.mark()
			})
			if at < 0 {
				t.Fatalf("%s: nobody wrote %.60q", what, line)
			}
			there[calls[at].mark()]++
		}
	}
	for _, c := range calls {
		if sent[c.mark()]++; c.answered {
			answered[c.mark()]++
		}
	}
	for mark := range sent {
		if there[mark] < answered[mark] || there[mark] > sent[mark] {
			t.Errorf("%s: %.30q is there %d times, was sent %d times and acknowledged %d times",
				what, mark, there[mark], sent[mark], answered[mark])
		}
	}
}

func checkProvenance(t *testing.T, room string, calls []serverCall) {
	t.Helper()
	note := fileText(t, room, ".system/provenance/"+serversCopies+".json")
	for _, c := range calls {
		if lines := fmt.Sprintf(`"%d-%[1]d"`, 15+c.server); c.answered && strings.Count(note, lines) != 1 {
			t.Errorf("the note of the copies has %s not once: %s", lines, note)
		}
	}
}

// checkVersions holds that the log's history lacks no content that it had: each is the next one without its newest line.
func checkVersions(t *testing.T, room string) {
	t.Helper()
	v := vault.New(vault.Options{Dir: room, MaxChars: 1 << 20, HistoryBytes: 1 << 30})
	versions, err := v.Log(serversLog)
	if err != nil {
		t.Fatal(err)
	}
	next := fileText(t, room, serversLog)
	for _, version := range versions {
		text, _, err := v.Show(serversLog, version.ID)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) == next {
			continue // kept by a server that was killed before it wrote
		}
		_, older, _ := strings.Cut(strings.TrimPrefix(next, "## Log\n"), "\n")
		if next = "## Log\n" + older; !bytes.Equal(text, []byte(next)) {
			t.Fatalf("version %s holds %.80q…, want %.80q…", version.ID, text, next)
		}
	}
	if next != "## Log\n" {
		t.Errorf("the oldest version holds %.80q…", next)
	}
}

// checkLeftovers holds that the next server finds no lock held, and removes what the one that was killed left behind.
func checkLeftovers(t *testing.T, room string, open func() *client) {
	t.Helper()
	past := time.Now().Add(-time.Hour)
	temporary := func() (found []string) {
		if err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasPrefix(d.Name(), ".sagasu-tmp-") {
				found = append(found, path)
				err = os.Chtimes(path, past, past)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return found
	}
	left := temporary()
	c := open()
	for _, i := range []int{0, 1, 2} {
		receiveAll(c, sendAll(c, i, 99, ""), -1)
	}
	for _, path := range left {
		rel, _ := filepath.Rel(filepath.Join(room, "notes"), filepath.Dir(path))
		if filepath.IsLocal(rel) {
			must[vault.Written](c, "vault_create", map[string]any{"path": "notes/" + filepath.ToSlash(rel) + "/sweep.md", "content": ""})
		}
	}
	if still := temporary(); len(still) > 0 {
		t.Errorf("left behind: %q, at first %q", still, left)
	}
	if locks, err := os.ReadDir(filepath.Join(room, ".system", "locks")); err != nil || len(locks) > 65 {
		t.Errorf("%d locks, %v", len(locks), err)
	}
}

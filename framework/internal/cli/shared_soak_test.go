//go:build soak && !windows

package cli

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// redisPrograms are those of Debian's redis-server and redis-sentinel.
var redisPrograms = []string{"redis-server", "redis-sentinel"}

// redisNode starts a Redis or a Sentinel with lines of configuration and waits until it listens.
func redisNode(t *testing.T, program string, port int, lines ...string) *exec.Cmd {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "node.conf")
	lines = append([]string{fmt.Sprint("port ", port), "bind 127.0.0.1", "dir " + dir}, lines...)
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for limit := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			conn.Close()
			return cmd
		}
		if time.Now().After(limit) {
			t.Fatalf("%s does not listen: %v", program, err)
		}
	}
}

// freePort returns a port that nothing listens on.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// loaded is an answer under load.
type loaded struct {
	trace  string
	server int
	at     time.Time
	took   time.Duration
	warned bool
}

// Two servers of manuals outlive a failover.
func TestSharedStateOutlivesAFailover(t *testing.T) {
	outlivesAFailover(t, func(url string) *service {
		env, dir := fleet{T: t, url: url}.machine()
		return serveOver(t, env, "--workspace", dir, "--listen", "127.0.0.1:0", "--trace-max-keep", "100000")
	}, func(n int) string { return fmt.Sprint("RAID1 交換 ", n) })
}

// The master of a Redis is killed under load: Sentinels make its replica the master, and two servers find it. All
// answers stand. What no answer warned of is served by the other server, but for the newest traces.
func outlivesAFailover(t *testing.T, serve func(url string) *service, query func(n int) string) {
	for _, program := range redisPrograms {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: apt install redis-server redis-sentinel", program)
		}
	}
	const plain = "save \"\""
	first, second := freePort(t), freePort(t)
	master := redisNode(t, "redis-server", first, plain)
	redisNode(t, "redis-server", second, plain, fmt.Sprint("replicaof 127.0.0.1 ", first))
	var sentinels []string
	for range 3 {
		port := freePort(t)
		redisNode(t, "redis-sentinel", port, fmt.Sprintf("sentinel monitor main 127.0.0.1 %d 2", first),
			"sentinel down-after-milliseconds main 1000", "sentinel failover-timeout main 5000")
		sentinels = append(sentinels, fmt.Sprint("127.0.0.1:", port))
	}
	time.Sleep(3 * time.Second) // Sentinels learn of each other and of the replica
	url := "redis-sentinel://" + strings.Join(sentinels, ",") + "/main"
	servers := []*service{serve(url), serve(url)}
	var mu sync.Mutex
	var all []loaded
	end := time.Now().Add(25 * time.Second)
	var load sync.WaitGroup
	for i := range 4 {
		load.Go(func() {
			for n := 0; time.Now().Before(end); n++ {
				begin, s := time.Now(), (i+n)%2
				answer, err := callOver(http.DefaultClient, servers[s].url, "", "manual_find", map[string]any{"query": query(1000*i + n), "use_cache": false})
				if err != nil {
					t.Errorf("an answer: %v", err)
					continue
				}
				k := loaded{answer["trace_id"].(string), s, time.Now(), time.Since(begin), strings.Contains(fmt.Sprint(answer["warnings"]), "trace could not be kept")}
				mu.Lock()
				all = append(all, k)
				mu.Unlock()
			}
		})
	}
	time.Sleep(8 * time.Second)
	killed := time.Now()
	if err := master.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	load.Wait()
	var warned, lost int
	var longest, oldest time.Duration
	var last time.Time
	for _, k := range all {
		longest = max(longest, k.took)
		if k.warned {
			warned++
			if last = k.at; k.at.Before(killed.Add(-k.took)) {
				t.Errorf("an answer warns %v before the master was killed", killed.Sub(k.at))
			}
			continue
		}
		_, err := callOver(http.DefaultClient, servers[1-k.server].url, "", "manual_hits", map[string]any{"trace_id": k.trace, "kind": "candidates", "limit": 1})
		if err == nil {
			continue
		}
		lost++
		oldest = max(oldest, killed.Sub(k.at))
		if !strings.Contains(err.Error(), "not_found") || k.at.After(killed.Add(time.Second)) || killed.Sub(k.at) > 2*time.Second {
			t.Errorf("a trace of %v after the kill: %v", k.at.Sub(killed), err)
		}
	}
	t.Logf("%d answers, the longest in %v; %d warned, the last %v after the kill; %d traces were lost, the oldest %v before the kill",
		len(all), longest, warned, last.Sub(killed), lost, oldest)
	if last.IsZero() || last.After(end.Add(-5*time.Second)) {
		t.Errorf("answers warn until %v after the kill: no other master was found", last.Sub(killed))
	}
	http.DefaultClient.CloseIdleConnections()
}

package redis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// check returns what a start or a search learns of a server.
func check(t *testing.T, s *Server) string {
	t.Helper()
	wrong, err := s.Check(t.Context())
	if err == nil {
		return "good"
	}
	if strings.Contains(err.Error(), "geheim") {
		t.Errorf("the password is in %v", err)
	}
	return fmt.Sprintf("wrong %t: %v", wrong, err)
}

func TestCheck(t *testing.T) {
	redis := miniredis.RunT(t)
	redis.RequireUserAuth("user", "geheim")
	full := miniredis.RunT(t)
	full.Server().SetPreHook(func(c *server.Peer, command string, _ ...string) bool {
		if command == "SET" {
			c.WriteError("OOM command not allowed when used memory > 'maxmemory'.")
		}
		return command == "SET"
	})
	for url, want := range map[string]string{
		"redis://user:geheim@" + redis.Addr():    "good",
		"redis://user:geheimer@" + redis.Addr():  "wrong true: WRONGPASS",
		"redis://" + redis.Addr():                "wrong true: NOAUTH",
		"redis://geheim:geheim@127.0.0.1:1":      "wrong false: dial tcp 127.0.0.1:1: ",
		"redis://" + full.Addr():                 "wrong false: OOM",
		"redis-sentinel://127.0.0.1:1,[::1]:1/x": "wrong false: dial tcp",
	} {
		if got := check(t, open(t, url)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
	if nowhere := error(&net.DNSError{IsNotFound: true}); away(&net.OpError{Op: "dial", Err: nowhere}) {
		t.Error("a host that does not exist is waited for")
	}
}

// One call waits for a server that does not answer; those after it fail at once, until one tries again.
func TestAServerThatStallsIsLeftAlone(t *testing.T) {
	deaf, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	s := open(t, "redis://"+deaf.Addr().String())
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := s.do(ctx, []any{"PING"}); !errors.Is(err, context.DeadlineExceeded) || s.failure != nil {
		t.Errorf("a call that ends before the server could answer: %v, %v", err, s.failure)
	}
	if got := check(t, s); got != "wrong false: "+errNoReply.Error() {
		t.Errorf("a server that does not answer: %s", got)
	}
	deaf.Close() // calls would now hear of it
	for range 100 {
		if got := check(t, s); got != "wrong false: "+errNoReply.Error() {
			t.Fatalf("a call after one that got no answer: %s", got)
		}
	}
	s.mu.Lock()
	s.resume = time.Now().Add(-time.Millisecond)
	s.mu.Unlock()
	if got := check(t, s); !strings.Contains(got, "dial tcp") {
		t.Errorf("after a rest: %s", got)
	}
}

// A server that was restarted costs no call, however many connections are kept to what it was.
func TestConnectionsOutliveARestart(t *testing.T) {
	redis := miniredis.RunT(t)
	s := open(t, "redis://"+redis.Addr())
	for range 3 {
		held, err := s.pool.Load().GetContext(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer held.Close()
	}
	if got := check(t, s); got != "good" {
		t.Fatal(got)
	}
	redis.Close()
	if err := redis.Restart(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if got := check(t, s); got != "good" {
			t.Errorf("after a restart: %s", got)
		}
	}
}

// sentinel answers where the master is.
func sentinel(t *testing.T, master func() *miniredis.Miniredis) string {
	s, err := server.NewServer("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.Register("AUTH", func(c *server.Peer, _ string, args []string) {
		if args[0] == "sesam" {
			c.WriteOK()
		} else {
			c.WriteError("WRONGPASS")
		}
	})
	s.Register("SENTINEL", func(c *server.Peer, _ string, args []string) {
		if args[1] != "main" {
			c.WriteLen(-1)
			return
		}
		c.WriteStrings([]string{master().Host(), master().Port()})
	})
	return s.Addr().String()
}

// role makes a miniredis say what it is: it knows no ROLE by itself.
func role(t *testing.T, of string) *miniredis.Miniredis {
	m := miniredis.RunT(t)
	m.Server().SetPreHook(func(c *server.Peer, command string, _ ...string) bool {
		if command == "ROLE" {
			c.WriteStrings([]string{of, "0"})
		}
		return command == "ROLE"
	})
	return m
}

func TestSentinelsNameTheMaster(t *testing.T) {
	first, second, replica := role(t, "master"), role(t, "master"), role(t, "slave")
	now := first
	at := "127.0.0.1:1," + sentinel(t, func() *miniredis.Miniredis { return now }) + "/main?sentinel_password="
	s := open(t, "redis-sentinel://"+at+"sesam")
	if got := check(t, s); got != "good" {
		t.Fatal(got)
	}
	first.Close()
	now = second
	if got := check(t, s); got != "good" {
		t.Errorf("after a failover: %s", got)
	}
	second.Close()
	now = replica
	if got := check(t, s); got != "wrong false: "+errNoMaster.Error() {
		t.Errorf("with a replica that is to become the master: %s", got)
	}
	if got := check(t, open(t, "redis-sentinel://"+at+"geheim")); !strings.HasPrefix(got, "wrong true: WRONGPASS") {
		t.Errorf("with another password: %s", got)
	}
	if got := check(t, open(t, "redis-sentinel://"+strings.Replace(at, "main", "other", 1)+"sesam")); !strings.HasPrefix(got, "wrong true: the Sentinel at ") || !strings.HasSuffix(got, `knows no master "other"`) {
		t.Errorf("with another name: %s", got)
	}
}

func TestMissingRepliesAreAnError(t *testing.T) {
	redis := miniredis.RunT(t)
	redis.Server().SetPreHook(func(c *server.Peer, command string, _ ...string) bool {
		if command == "EXEC" {
			c.WriteStrings([]string{"OK"})
		}
		return command == "EXEC"
	})
	s := open(t, "redis://"+redis.Addr())
	if _, err := s.Lines("x").Append(t.Context(), []byte("a")); err == nil || !strings.Contains(err.Error(), "1 of 3") {
		t.Errorf("one reply to three commands gave %v", err)
	}
}

func TestCancelledCallsCostNoConnections(t *testing.T) {
	s := open(t, "redis://"+miniredis.RunT(t).Addr())
	pool := s.pool.Load()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 {
		if _, err := s.do(ctx, []any{"PING"}); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call gave %v", err)
		}
	}
	if s.pool.Load() != pool {
		t.Error("the connections of others were closed")
	}
}

package host

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/serve"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// The test binary plays every part: the tests, the wrapper, the strategies and
// a host to be killed. Its first argument says which.
const (
	partServe = "part-serve"
	partWrap  = "part-wrap"
	partHost  = "part-host"
	partAlone = "part-alone"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case partWrap:
			fmt.Fprintln(os.Stderr, RunSandbox(os.Args[2:], os.Environ()))
			os.Exit(1)
		case partServe:
			old := threads()
			if err := Confine(); err != nil {
				panic(err)
			}
			readOld = old
			if len(os.Args) > 3 {
				playSeveral(os.Args[2:])
			} else {
				playStrategy(os.Args[2])
			}
			return
		case partAlone:
			serve.Strategy(&actor{name: os.Args[2]})
			return
		case partHost:
			playHost(os.Args[2])
			return
		}
	}
	goleak.VerifyTestMain(m)
}

// readOld reads a file in threads that ran before the process was confined, and
// gives their outcome if it is the same in all.
var readOld func(path string) string

// threads starts some that wait for work.
func threads() func(path string) string {
	const n = 6
	paths, outcomes := make(chan string), make(chan string)
	for range n {
		ready := make(chan struct{})
		go func() {
			runtime.LockOSThread() // it may not serve two of the reads
			close(ready)
			for path := range paths {
				_, err := os.ReadFile(path)
				outcomes <- outcome(err)
			}
		}()
		<-ready
	}
	return func(path string) string {
		for range n {
			paths <- path // each blocks in its outcome, so that it takes one only
		}
		all := map[string]bool{}
		for range n {
			all[<-outcomes] = true
		}
		return strings.Join(slices.Sorted(maps.Keys(all)), " and ")
	}
}

func playSeveral(names []string) {
	all := map[string]sdk.Strategy{}
	for _, name := range names {
		all[name] = &actor{name: name}
	}
	serve.Strategies(all)
}

func playStrategy(name string) {
	switch name {
	case "printer":
		fmt.Println("a stray print before the handshake")
		fmt.Println("1|not|a handshake")
	case "mute":
		time.Sleep(time.Minute)
	case "clinger":
		os.Unsetenv(wire.EnvExitWithParent)
	case "stock", "bare":
		playStock(name)
		return
	case "translator":
		serve.Converter(translator{})
		return
	case "redirector", "stranger", "newcomer", "veteran", "flooder", "dribbler":
		playImpostor(name)
	case "storm-a", "storm-b", "storm-c", "storm-d", "storm-e":
		corruptOnSignal()
	case "quitter":
		fmt.Fprintln(os.Stderr, "cannot find my model")
		os.Exit(3)
	}
	serve.Strategy(&actor{name: name})
}

// playStock is a strategy that leaves everything to the transport's library:
// with the keys that it makes, or as one that speaks in the clear.
func playStock(name string) {
	if name == "bare" {
		os.Unsetenv(wire.EnvClientCert)
	}
	server := wire.NewServer(&actor{name: name}, hclog.NewNullLogger(), "")
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: wire.Handshake, VersionedPlugins: wire.Plugins(server), GRPCServer: plugin.DefaultGRPCServer,
	})
}

// playHost is a host that tells its processes and waits to be killed.
func playHost(dir string) {
	h, err := New(Options{
		IndexDir: filepath.Join(dir, "index"), StateDir: filepath.Join(dir, "state"),
		Bundled:     func(names ...string) []string { return append([]string{partServe}, names...) },
		Wrapper:     []string{partWrap},
		MemoryLimit: -1,
		Entries:     []Entry{{Name: "one"}, {Name: "two"}},
	})
	if err != nil {
		panic(err)
	}
	if _, failures := h.Strategies(context.Background()); len(failures) > 0 {
		panic(failures[0])
	}
	for _, st := range h.Status() {
		os.Stdout.WriteString(strconv.Itoa(st.PID) + "\n")
	}
	os.Stdout.WriteString("\n")
	select {}
}

package index

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// hostRoot and hostDir tell the test binary that it is to be a host of the
// index in the second folder of the manuals in the first, until it is killed.
const (
	hostRoot = "SAGASU_TEST_INDEX_ROOT"
	hostDir  = "SAGASU_TEST_INDEX_DIR"
)

// roles are what else the test binary can be, by the value of roleName; each gets hostDir.
const roleName = "SAGASU_TEST_INDEX_ROLE"

var roles = map[string]func(dir string){}

func TestMain(m *testing.M) {
	if role := roles[os.Getenv(roleName)]; role != nil {
		role(os.Getenv(hostDir))
		os.Exit(0)
	}
	if root := os.Getenv(hostRoot); root != "" {
		if err := host(root, os.Getenv(hostDir)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	goleak.VerifyTestMain(m)
}

// host searches and rebuilds without end.
func host(root, dir string) error {
	x, err := Open(Options{Live: true, Dir: dir, Source: corpus.ManualSource{}, Manuals: func(context.Context) ([]corpus.Manual, error) {
		return corpus.Manuals(root, nil)
	}})
	if err != nil {
		return err
	}
	x.pace = pace{after: 0, rest: 1}
	for i := 0; ; i++ {
		_, release, err := x.acquire(context.Background())
		if err != nil {
			return err
		}
		release()
		if i%50 == 0 {
			if _, err := x.Build(context.Background()); err != nil {
				return err
			}
		}
		time.Sleep(time.Millisecond)
	}
}

// startHost starts a process that hosts the index of b.
func (b *bench) startHost() *exec.Cmd {
	b.Helper()
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env, c.Stderr = append(os.Environ(), hostRoot+"="+b.root, hostDir+"="+b.dir), os.Stderr
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	return c
}

func TestKilledBuildersDoNoHarm(t *testing.T) {
	b := newBench(t)
	b.many(50)
	for i := range 5 {
		c := b.startHost()
		for end := time.Now().Add(time.Duration(40+20*i) * time.Millisecond); time.Now().Before(end); time.Sleep(time.Millisecond) {
			b.write(fmt.Sprintf("a/many%03d.md", i), fmt.Sprintf("# Page\n%v", end))
		}
		c.Process.Kill()
		c.Wait()
		x := b.open()
		b.settles(x)
		if st, err := x.State(t.Context()); err != nil || st.Damage != "" {
			t.Errorf("damage %q, %v", st.Damage, err)
		}
		x.Close()
	}
}

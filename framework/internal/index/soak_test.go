//go:build soak

package index

import (
	"fmt"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestSoak runs for SAGASU_SOAK, such as 10m (a minute by default): random
// changes while two hosts of this process search and a third is killed again
// and again, and damage to the index while they search.
func TestSoak(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("SAGASU_SOAK"))
	if err != nil {
		length = time.Minute
	}
	end := time.Now().Add(length)
	for seed := 100; time.Now().Before(end) && !t.Failed(); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { follows(t, seed, 300) })
		t.Run(fmt.Sprint(seed, " with a host that is killed"), func(t *testing.T) { followsBesideKills(t, seed) })
		t.Run(fmt.Sprint(seed, " with damage"), func(t *testing.T) { harmed(t, 300) })
	}
}

func followsBesideKills(t *testing.T, seed int) {
	b := newBench(t)
	b.many(100)
	x := b.open()
	stop := searching(t, x)
	for i, o := range rapid.SliceOfN(genOperation(), 20, 60).Example(seed) {
		c := b.startHost()
		o.apply(b.root)
		time.Sleep(time.Duration(i%7) * 10 * time.Millisecond)
		c.Process.Kill()
		c.Wait()
	}
	stop()
	b.settles(x)
	if st, err := x.State(t.Context()); err != nil || st.Damage != "" {
		t.Errorf("damage %q, %v", st.Damage, err)
	}
}

package bench

import (
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// buildBar is how many times faster than Bleve an index is built.
const buildBar = 5

// building builds an index of the same sections with each library in turn.
func (r *run) building() error {
	var parse Times
	ours, peers := &builds{}, make([]builds, len(r.engines))
	for round := range r.Rounds {
		r.tell("building", round, r.Rounds)
		if err := r.buildOurs(ours); err != nil {
			return err
		}
		for i, e := range r.engines {
			if err := r.buildPeer(e, &peers[i]); err != nil {
				return err
			}
		}
		_, took, err := cut(r.ctx, r.files)
		if err != nil {
			return err
		}
		parse = append(parse, took)
	}
	p := r.report.part(fmt.Sprintf("index of %d sections that are cut already, no positions", len(r.units)))
	p.seconds("sagasu: text, terms, keywords, checked sums, synced", ours.wall.Median()).note(ours.String())
	for i, e := range r.engines {
		p.seconds(e.Name, peers[i].wall.Median()).note(peers[i].String())
		l := p.add("sagasu faster than "+e.Name, ratio(peers[i].wall.Median(), ours.wall.Median()), Times1)
		if c := ratio(peers[i].cpu.Median(), ours.cpu.Median()); c > 0 {
			l.note(fmt.Sprintf("%.2f × by CPU time, which other work on the machine disturbs less", c))
		}
		if e.Name == bleve {
			l.atLeast(buildBar)
		}
	}
	q := r.report.part("apart from it")
	q.seconds("cutting the files into sections", parse.Median()).note(fmt.Sprintf(
		"%.1f MB/s on %d cores", ratio(float64(r.report.Data.Bytes)/1e6,
			parse.Median().Seconds()), runtime.GOMAXPROCS(0)))
	return nil
}

// builds are what building one index repeatedly took.
type builds struct {
	wall, cpu Times // cpu of all cores
	disk      int64 // bytes
}

func (b *builds) String() string {
	out := fmt.Sprintf("%.1f MB on disk", float64(b.disk)/1e6)
	if cpu := b.cpu.Median(); cpu > 0 {
		out += fmt.Sprintf(", %.2f s of CPU", cpu.Seconds())
	}
	return out
}

// bleve is the engine that bars speak of.
const bleve = "bleve"

// buildOurs builds our index; the newest is searched later.
func (r *run) buildOurs(b *builds) (err error) {
	if r.own.dir != "" {
		if err := os.RemoveAll(r.own.dir); err != nil {
			return err
		}
	}
	if r.own.dir, err = r.temp("own"); err != nil {
		return err
	}
	runtime.GC() // what the last build left is not this one's
	begin, used := time.Now(), cpuTime()
	r.own.name, b.disk, err = writeIndex(r.ctx, r.own.dir, r.files, r.sections)
	b.wall, b.cpu = append(b.wall, time.Since(begin)), append(b.cpu, cpuTime()-used)
	return err
}

func (r *run) peerDir(e Engine) string { return r.dir + string(os.PathSeparator) + "peer-" + e.Name }

func (r *run) buildPeer(e Engine, b *builds) error {
	dir := r.peerDir(e)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	reply, err := r.peer.do(peerRequest{Op: "build", Engine: e.Name, Dir: dir, Language: r.language})
	if err != nil {
		return err
	}
	b.wall, b.cpu, b.disk = append(b.wall, time.Duration(reply.NS)), append(b.cpu, time.Duration(reply.CPU)),
		reply.Bytes
	return nil
}

// buildOnce builds what is searched later, untimed.
func (r *run) buildOnce() error {
	r.tell("building", 0, 1)
	if err := r.buildOurs(&builds{}); err != nil {
		return err
	}
	for _, e := range r.engines {
		if err := r.buildPeer(e, &builds{}); err != nil {
			return err
		}
	}
	return nil
}

// leastOpenings is how often what takes no time is done at least.
const leastOpenings = 5

// open opens the index and closes it again, which is not timed.
func (x index) open(verify bool) (time.Duration, error) {
	begin := time.Now()
	snap, err := snapshot.Open(x.dir, x.name, verify)
	took := time.Since(begin)
	if err != nil {
		return 0, err
	}
	return took, snap.Close()
}

// openPeers opens the indexes of the peers.
func (r *run) openPeers() error {
	for _, e := range r.engines {
		if _, err := r.openPeer(e); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) openPeer(e Engine) (time.Duration, error) {
	reply, err := r.peer.do(peerRequest{Op: "open", Engine: e.Name, Dir: r.peerDir(e), Language: r.language})
	if err != nil {
		return 0, err
	}
	return time.Duration(reply.NS), nil
}

// opening opens the indexes; the last ones of the peers stay open.
func (r *run) opening() error {
	var checked, unchecked Times
	peers := make([]Times, len(r.engines))
	for round := range max(r.Rounds, leastOpenings) {
		for times, verify := range map[*Times]bool{&checked: true, &unchecked: false} {
			took, err := r.own.open(verify)
			if err != nil {
				return err
			}
			*times = append(*times, took)
		}
		for i, e := range r.engines {
			if round > 0 {
				if _, err := r.peer.do(peerRequest{Op: "close", Engine: e.Name}); err != nil {
					return err
				}
			}
			took, err := r.openPeer(e)
			if err != nil {
				return err
			}
			peers[i] = append(peers[i], took)
		}
	}
	p := r.report.part("opening it")
	p.ms("sagasu, every checksum verified, as the host does", checked.Median())
	p.ms("sagasu, as a strategy does", unchecked.Median())
	for i, e := range r.engines {
		p.ms(e.Name, peers[i].Median())
	}
	return nil
}

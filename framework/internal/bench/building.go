package bench

import (
	"fmt"
	"os"
	"runtime"
	"time"
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
		"%.1f MB/s on %d cores", ratio(float64(r.report.Data.Bytes)/1e6, parse.Median().Seconds()), runtime.GOMAXPROCS(0)))
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
	b.wall, b.cpu, b.disk = append(b.wall, time.Duration(reply.NS)), append(b.cpu, time.Duration(reply.CPU)), reply.Bytes
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

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
	var parse, ours Times
	peers := make([]Times, len(r.engines))
	disk := make([]int64, len(r.engines)+1)
	for round := range r.Rounds {
		r.tell("building", round, r.Rounds)
		took, err := r.buildOurs(&disk[0])
		if err != nil {
			return err
		}
		ours = append(ours, took)
		for i, e := range r.engines {
			if took, disk[i+1], err = r.buildPeer(e); err != nil {
				return err
			}
			peers[i] = append(peers[i], took)
		}
		if _, took, err = cut(r.ctx, r.files); err != nil {
			return err
		}
		parse = append(parse, took)
	}
	p := r.report.part(fmt.Sprintf("index of %d sections that are cut already, no positions", len(r.units)))
	p.seconds("sagasu: text, terms, keywords, checked sums, synced", ours.Median()).note(megabytes(disk[0]) + " on disk")
	for i, e := range r.engines {
		p.seconds(e.Name, peers[i].Median()).note(megabytes(disk[i+1]) + " on disk")
		l := p.add("sagasu faster than "+e.Name, ratio(peers[i].Median(), ours.Median()), Times1)
		if e.Name == bleve {
			l.atLeast(buildBar)
		}
	}
	q := r.report.part("apart from it")
	q.seconds("cutting the files into sections", parse.Median()).note(fmt.Sprintf(
		"%.1f MB/s on %d cores", ratio(float64(r.report.Data.Bytes)/1e6, parse.Median().Seconds()), runtime.GOMAXPROCS(0)))
	return nil
}

// bleve is the engine that bars speak of.
const bleve = "bleve"

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// buildOurs builds our index; the newest is searched later.
func (r *run) buildOurs(disk *int64) (took time.Duration, err error) {
	if r.own.dir != "" {
		if err := os.RemoveAll(r.own.dir); err != nil {
			return 0, err
		}
	}
	if r.own.dir, err = r.temp("own"); err != nil {
		return 0, err
	}
	runtime.GC() // what the last build left is not this one's
	begin := time.Now()
	r.own.name, *disk, err = writeIndex(r.ctx, r.own.dir, r.files, r.sections)
	return time.Since(begin), err
}

func (r *run) peerDir(e Engine) string { return r.dir + string(os.PathSeparator) + "peer-" + e.Name }

func (r *run) buildPeer(e Engine) (time.Duration, int64, error) {
	dir := r.peerDir(e)
	if err := os.RemoveAll(dir); err != nil {
		return 0, 0, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return 0, 0, err
	}
	reply, err := r.peer.do(peerRequest{Op: "build", Engine: e.Name, Dir: dir, Language: r.language})
	if err != nil {
		return 0, 0, err
	}
	return time.Duration(reply.NS), reply.Bytes, nil
}

// buildOnce builds what is searched later, untimed.
func (r *run) buildOnce() error {
	r.tell("building", 0, 1)
	if _, err := r.buildOurs(new(int64)); err != nil {
		return err
	}
	for _, e := range r.engines {
		if _, _, err := r.buildPeer(e); err != nil {
			return err
		}
	}
	return nil
}

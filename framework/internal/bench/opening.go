package bench

import (
	"time"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

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

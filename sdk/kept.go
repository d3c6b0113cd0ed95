package sdk

import (
	"context"
	"io"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/state"
)

// Kept returns the result of compute for a snapshot and caches it in [StateDir], so that neither a restart nor
// another process computes it again while the sections are the same. of names the computation and must include
// everything that affects the result, such as a version or a setting. Kept removes the results of earlier snapshots
// under the same name, and writes files atomically. It logs a failure to write, and the next call computes the result
// again.
func Kept(
	ctx context.Context, corpus *snapshot.Snapshot, of string, compute func() ([]byte, error),
) ([]byte, error) {
	files, err := state.Open(StateDir(ctx), corpus.Kind(), Logger(ctx))
	if err != nil {
		return nil, err
	}
	defer files.Close()
	ext := "." + state.Key(of)
	content := []string{corpus.Fingerprint()}
	for _, info := range corpus.Manifest().Segments { // which give the sections their ids
		content = append(content, state.SegmentKey(of, info))
	}
	key := state.Key(strings.Join(content, " "))
	asItIs := func(data []byte) (*[]byte, error) { return &data, nil }
	if kept := state.Load(files, key, ext, asItIs); kept != nil {
		return *kept, nil
	}
	data, err := compute()
	if err != nil {
		return nil, err
	}
	files.Keep(key, ext, bytesTo(data))
	files.Retire(ext, []string{key})
	return data, nil
}

// bytesTo is a byte slice that implements [io.WriterTo].
type bytesTo []byte

// WriteTo implements [io.WriterTo].
func (b bytesTo) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(b)
	return int64(n), err
}

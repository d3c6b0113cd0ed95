package index

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// Refusal counts the records of a file that were not taken.
type Refusal struct {
	First corpus.Refused `json:"first"` // Source is the file
	Count int            `json:"count"`
}

// refusedFile keeps the refusals of what is published, for those who did not build it.
const refusedFile = "records-refused.json"

// readRefusals are those that are kept, by file.
func readRefusals(dir string) (map[string]Refusal, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := root.ReadFile(refusedFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	all := map[string]Refusal{}
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("read what was refused: %w", err)
	}
	return all, nil
}

// keepRefusals adds those of the part to those of the files that stay as they are.
func (b *builder) keepRefusals(anew bool) error {
	dir := b.index.opts.Dir
	old, err := readRefusals(dir)
	if err != nil || anew {
		old = nil // a list that cannot be read is made again in time
	}
	all := map[string]Refusal{}
	for k := range b.index.seen {
		if r, ok := old[k.path]; ok {
			all[k.path] = r
		}
	}
	for _, f := range b.part.writer.Files() {
		if delete(all, f.Path); b.refused[f.Path].Count > 0 {
			all[f.Path] = b.refused[f.Path]
		}
	}
	if len(all) == 0 && len(old) == 0 {
		return nil
	}
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.WriteFile(refusedFile+".tmp", data, 0o600); err != nil {
		return err
	}
	return root.Rename(refusedFile+".tmp", refusedFile)
}

// refusals are those of the files that the current snapshot has, in their order.
func (x *Index) refusals() (out []Refusal, err error) {
	all, err := readRefusals(x.opts.Dir)
	if len(all) == 0 {
		return nil, err
	}
	for k := range x.seen {
		if r, ok := all[k.path]; ok {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Refusal) int { return cmp.Compare(a.First.Source, b.First.Source) })
	return out, nil
}

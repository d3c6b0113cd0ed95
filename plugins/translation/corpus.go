package translation

import (
	"context"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// corpora caches the corpus of the newest snapshot.
type corpora struct {
	mu     sync.Mutex
	newest *corpus
}

// corpus contains the languages of the sections of one snapshot.
type corpus struct {
	dir, name string
	japanese  *roaring.Bitmap // sections in Japanese, read only
	others    *roaring.Bitmap // all other sections, read only
	english   *roaring.Bitmap // sections among these in English, read only

	mu    sync.Mutex
	heard map[bool]*hearing // by whether it is for katakana
}

// other returns the sections in the language other than the query's. The result is read only.
func (c *corpus) other(query string) *roaring.Bitmap {
	if text.HasCJK(query) {
		return c.others
	}
	return c.japanese
}

func (c *corpora) of(snap *snapshot.Snapshot) *corpus {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.newest; k == nil || k.dir != snap.Dir() || k.name != snap.Name() {
		japanese := holding(snap, particles)
		others := roaring.AndNot(snap.Live(), japanese)
		c.newest = &corpus{
			dir: snap.Dir(), name: snap.Name(), japanese: japanese, others: others,
			english: roaring.And(others, holding(snap, articles)),
			heard:   map[bool]*hearing{true: newHearing(), false: newHearing()},
		}
	}
	return c.newest
}

// particles are kana. Almost every Japanese sentence or title contains at least one of them.
var particles = []string{"の", "を", "は", "に", "が", "で", "と", "た", "る", "す", "い", "ー", "ン", "ス"}

// articles are words. Almost every English text of a few sentences contains at least one of them.
var articles = []string{"the", "of"}

// holding returns the live sections that contain one of the terms.
func holding(snap *snapshot.Snapshot, terms []string) *roaring.Bitmap {
	out := roaring.New()
	var p snapshot.Postings
	for _, segment := range snap.Segments() {
		local := roaring.New()
		for _, term := range terms {
			if !segment.Postings(term, &p) {
				continue
			}
			for p.Next() {
				local.AddMany(p.Docs)
			}
		}
		out.Or(segment.Alive(local))
	}
	return out
}

// soundsOf returns the words of the corpus by their sound, either katakana or English words. If ctx ends first, it
// returns nil, and the next search continues.
func (c *corpus) soundsOf(ctx context.Context, snap *snapshot.Snapshot, katakana bool) sounds {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.heard[katakana]
	switch {
	case h.done:
	case katakana:
		h.katakana(ctx, snap, c.japanese)
	default:
		h.english(ctx, snap)
	}
	if !h.done {
		return nil
	}
	return h.sounds
}

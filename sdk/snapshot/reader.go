package snapshot

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"slices"
	"sort"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Snapshot is an open, immutable view of a corpus. Strings that its methods return point into
// mapped memory and are invalid after Close. All methods are safe for concurrent use.
type Snapshot struct {
	dir      string
	manifest Manifest
	lock     *sharedLock
	maps     []mapping
	segments []*Segment
	live     *roaring.Bitmap
	bound    uint32
	strata   func() []stratum // of gathered sections
}

// Open maps the snapshot called name in the index directory dir. If verify is set, it checks every
// checksum; the host verifies, strategies need not. Open needs only read permission. Until Close,
// it holds a shared lock on the manifest, if the system allows, which keeps the snapshot from being
// removed.
//
// The error of a damaged snapshot wraps a [*CorruptError]. If the snapshot, or a file of it, is gone, the error wraps
// fs.ErrNotExist; if name is not the name of a snapshot, fs.ErrInvalid.
func Open(dir, name string, verify bool) (*Snapshot, error) {
	return openSnapshot(dir, name, func(SegmentInfo) bool { return verify })
}

func openSnapshot(dir, name string, verify func(SegmentInfo) bool) (_ *Snapshot, err error) {
	s := &Snapshot{dir: dir, live: roaring.New()}
	s.strata = sync.OnceValue(s.stratify)
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close())
		}
	}()
	if err := checkName(name); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open snapshot: %w", err)
	}
	defer root.Close()
	s.lock = lockShared(dir, name+manifestExt)
	if s.manifest, err = readManifest(root, name); err != nil {
		return nil, err
	}
	for _, info := range s.manifest.Segments {
		if err := s.Guard(func() error { return s.add(root, info, verify(info)) }); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Successor opens a later snapshot of the same directory. It verifies only the segments that s does
// not have. Errors are as for [Open].
func (s *Snapshot) Successor(name string) (*Snapshot, error) {
	known := map[string]uint32{}
	for _, g := range s.segments {
		known[g.info.File] = g.crc
	}
	return openSnapshot(s.dir, name, func(info SegmentInfo) bool {
		crc, ok := known[info.File]
		return !ok || crc != info.CRC
	})
}

// Verify checks every byte of a segment file before it is published.
func Verify(dir string, info SegmentInfo) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("verify segment: %w", err)
	}
	defer root.Close()
	m, err := mapFile(root, info.File)
	if err != nil {
		return err
	}
	g, err := openSegment(info.File, m, true)
	if err == nil && g.crc != info.CRC {
		err = g.damage.errorf("footer", "not the file that was written")
	}
	return errors.Join(err, m.unmap())
}

// add maps and appends one segment.
func (s *Snapshot) add(root *os.Root, info SegmentInfo, verify bool) error {
	m, err := mapFile(root, info.File)
	if err != nil {
		return err
	}
	s.maps = append(s.maps, m)
	g, err := openSegment(info.File, m, verify)
	if err != nil {
		return err
	}
	if g.crc != info.CRC || g.Len() != info.Sections || int64(len(m)) != info.Bytes {
		return g.damage.errorf("footer", "not the file that the manifest names")
	}
	if g.meta.Kind != s.manifest.Kind || !slices.Equal(g.meta.Fields, s.manifest.Fields) {
		return g.damage.errorf(partMeta.String(), "another schema than the manifest's")
	}
	if uint64(s.bound)+uint64(g.Len()) > math.MaxUint32 {
		return g.damage.errorf(partSections.String(), "too many sections")
	}
	g.base = s.bound
	s.bound += g.Len()
	s.segments = append(s.segments, g)
	if err := g.bury(info, s.manifest.Name+manifestExt); err != nil {
		return err
	}
	s.live.AddRange(uint64(g.base), uint64(s.bound))
	if g.deleted != nil {
		s.live.AndNot(g.global(g.deleted))
	}
	return nil
}

// Close unmaps the snapshot and releases its lock.
func (s *Snapshot) Close() error {
	var errs []error
	for _, m := range s.maps {
		errs = append(errs, m.unmap())
	}
	s.maps = nil
	return errors.Join(append(errs, s.lock.release())...)
}

// Dir returns the index directory. Dir and Name identify the snapshot to another process.
func (s *Snapshot) Dir() string { return s.dir }

// Name returns the snapshot's name, such as "manual-000012". Names are never reused.
func (s *Snapshot) Name() string { return s.manifest.Name }

// Kind returns the kind of corpus.
func (s *Snapshot) Kind() Kind { return s.manifest.Kind }

// Manifest lists what the snapshot consists of. Do not change it.
func (s *Snapshot) Manifest() Manifest { return s.manifest }

// Fingerprint identifies the content of the corpus: see [Fingerprint].
func (s *Snapshot) Fingerprint() string { return s.manifest.Fingerprint }

// Fields returns the names of the text fields, in order. Do not change the result.
func (s *Snapshot) Fields() []string { return s.manifest.Fields }

// Bound returns one more than the highest section id. Ids of deleted sections are not reused.
func (s *Snapshot) Bound() uint32 { return s.bound }

// Live returns the ids of the sections that are not deleted. Do not change the result.
func (s *Snapshot) Live() *roaring.Bitmap { return s.live }

// Segments returns the immutable parts, in order of their ids. Do not change the result.
func (s *Snapshot) Segments() []*Segment { return s.segments }

// Err returns the first corruption that a read found, or nil. Reads treat a damaged entry as if it
// did not exist.
func (s *Snapshot) Err() error {
	for _, g := range s.segments {
		if err := g.damage.first.Load(); err != nil {
			return err
		}
	}
	return nil
}

// locate finds the segment of a live section.
func (s *Snapshot) locate(id uint32) (g *Segment, local uint32, ok bool) {
	if id >= s.bound {
		return nil, 0, false
	}
	g = s.segments[sort.Search(len(s.segments), func(i int) bool { return s.segments[i].base > id })-1]
	local = id - g.base
	return g, local, g.deleted == nil || !g.deleted.Contains(local)
}

// Section decodes one row of the section table. ok is false for an id that is not live.
func (s *Snapshot) Section(id uint32) (sec Section, ok bool) {
	g, local, ok := s.locate(id)
	if !ok {
		return Section{}, false
	}
	return g.section(local)
}

// Source returns the text of a field as written in the file; "" for an id that is
// not live.
func (s *Snapshot) Source(id uint32, field int) string {
	g, local, ok := s.locate(id)
	if !ok {
		return ""
	}
	return g.sources[field].at(int(local))
}

// Normalized returns the text of a field in search form (text.Text.Norm); "" for an
// id that is not live.
func (s *Snapshot) Normalized(id uint32, field int) string {
	g, local, ok := s.locate(id)
	if !ok {
		return ""
	}
	return g.normalized[field].at(int(local))
}

// Tokens yields the tokens of a field as they are indexed, in order. It yields none for an id that is not
// live. Start and End are byte offsets in [Snapshot.Normalized].
func (s *Snapshot) Tokens(id uint32, field int) iter.Seq[text.Token] {
	return func(yield func(text.Token) bool) {
		t := text.Normalize(s.Source(id, field)) // the stored form has lost the boundaries of camelCase parts
		text.Tokens(&t)(yield)
	}
}

// Keyword returns the live sections that carry a keyword, or an empty bitmap. Every section carries "group:<group>" and
// "file:<group>/<path>"; [Snapshot.Keywords] lists others. The caller owns the result.
func (s *Snapshot) Keyword(key string) *roaring.Bitmap {
	out := roaring.New()
	for _, g := range s.segments {
		if offset, ok := g.keywords.get(key); ok {
			out.Or(g.Alive(g.bitmapAt(offset)))
		}
	}
	return out
}

// Keywords yields the keywords that start with prefix, in order, with the number of
// live sections, which may be 0.
func (s *Snapshot) Keywords(prefix string) iter.Seq2[string, int] {
	return mergeKeys(s.segments, prefix,
		func(g *Segment) *dictionary { return g.keywords },
		func(g *Segment, offset uint64) int { return int(g.Alive(g.bitmapAt(offset)).GetCardinality()) })
}

// Terms yields the dictionary's terms that start with prefix, in order, with their document frequency,
// which may be 0.
func (s *Snapshot) Terms(prefix string) iter.Seq2[string, int] {
	return mergeKeys(s.segments, prefix,
		func(g *Segment) *dictionary { return g.terms },
		func(g *Segment, offset uint64) int {
			list, _ := g.listAt(offset)
			return g.docFreq(list)
		})
}

// Population returns the number of sections to weigh terms with: of the live sections or, if they were
// gathered from a collection, of the whole collection.
func (s *Snapshot) Population() int {
	n := int(s.live.GetCardinality())
	if of := s.manifest.Gathered; of != nil {
		return max(of.Sections, n)
	}
	return n
}

// DocFreq returns the number of live sections that have term. For a gathered snapshot it returns the document
// frequency in the collection, or an estimate if that is not known.
func (s *Snapshot) DocFreq(term string) int {
	key, n := dictionaryKey(term), 0
	for _, g := range s.segments {
		if list, ok := g.list(key); ok {
			n += g.docFreq(list)
		}
	}
	if of := s.manifest.Gathered; of != nil {
		if known, ok := of.DocFreqs[term]; ok || n == 0 {
			return max(known, n)
		}
		return s.Estimate(s.holders(term))
	}
	return n
}

// AvgLen returns the mean number of tokens in a field (see [Segment.Lengths]) of the live sections
// or, if they were gathered, of the whole collection. It returns 0 for an empty corpus.
func (s *Snapshot) AvgLen(field int) float64 {
	if of := s.manifest.Gathered; of != nil && field < len(of.Lengths) && of.Lengths[field] > 0 {
		return of.Lengths[field]
	}
	n := s.live.GetCardinality()
	if n == 0 {
		return 0
	}
	var sum uint64
	for _, g := range s.segments {
		sum += g.meta.Tokens[field]
	}
	return float64(sum) / float64(n)
}

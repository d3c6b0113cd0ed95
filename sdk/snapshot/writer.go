package snapshot

import (
	"hash/maphash"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Schema names the kind and the text fields of a segment.
type Schema struct {
	Kind   Kind
	Fields []string // 1 to [MaxFields]
}

// StoredField is the prefix of the name of a field that is stored but not searched: it has no
// terms, no length and no normalised form.
const StoredField = "@"

func isStored(field string) bool { return strings.HasPrefix(field, StoredField) }

// stored reports for each field whether it is only stored, not searched.
func (s Schema) stored() []bool {
	out := make([]bool, len(s.Fields))
	for i, name := range s.Fields {
		out[i] = isStored(name)
	}
	return out
}

// headed reports whether the fields that are searched are those of manuals.
func (s Schema) headed() bool {
	return slices.Equal(slices.DeleteFunc(slices.Clone(s.Fields), isStored), ManualSchema(s.Kind).Fields)
}

// ManualSchema returns the schema of manuals and of vaults.
func ManualSchema(kind Kind) Schema {
	return Schema{Kind: kind, Fields: []string{"heading", "body", "path"}}
}

// batchBytes is the size of a batch: large enough to outweigh its overhead, small enough to keep
// every worker busy.
const batchBytes = 512 << 10

// briefBytes is the size of a batch of a [Writer.Brief], whose few sections should be spread over all workers.
const briefBytes = 128 << 10

// Writer collects sections and writes them as one segment. Sections must be added file by
// file; ids are given in order from 0. The same input gives the same bytes.
//
// Texts are normalised and tokenised on GOMAXPROCS goroutines while sections
// are added; they end with WriteFile or Discard. A Writer is not safe for
// concurrent use.
type Writer struct {
	schema   Schema
	created  time.Time
	brief    bool // see Brief
	most     int  // bytes of a batch
	files    []File
	fileRows []fileRow
	sections uint32
	keywords map[string]*roaring.Bitmap

	seed    maphash.Seed
	current *batch
	batches []*batch
	idle    chan *worker
	work    guard.Group
}

// NewWriter returns a Writer for an empty segment and records the current time as the time before
// its files are read. It panics when the schema has no field or more than [MaxFields].
func NewWriter(schema Schema) *Writer {
	if n := len(schema.Fields); n < 1 || n > MaxFields {
		panic("snapshot: a schema has 1 to 8 fields")
	}
	w := &Writer{
		schema:   schema,
		most:     batchBytes,
		created:  time.Now().UTC().Round(0),
		keywords: map[string]*roaring.Bitmap{},
		seed:     maphash.MakeSeed(),
		idle:     make(chan *worker, runtime.GOMAXPROCS(0)),
	}
	for range cap(w.idle) {
		w.idle <- &worker{}
	}
	w.startBatch()
	return w
}

// AddFile starts a file; the sections added next belong to it.
func (w *Writer) AddFile(f File) {
	w.files = append(w.files, f)
	w.fileRows = append(w.fileRows, fileRow{
		Size: f.Size, ModTime: f.ModTime, ChangeTime: f.ChangeTime, Inode: f.Inode, SHA256: f.SHA256,
		First: w.Len(),
	})
}

// Brief prepares the Writer for a small temporary segment, see [Store]. Call it before sections are added.
func (w *Writer) Brief() { w.brief, w.most = true, briefBytes }

// SetCreated records that files were read before the Writer was made.
func (w *Writer) SetCreated(t time.Time) { w.created = t.UTC().Round(0) }

// Files returns the files added, in their order. Read only.
func (w *Writer) Files() []File { return w.files }

// Len returns the number of sections added.
func (w *Writer) Len() uint32 { return w.sections }

// Add appends a section of the current file and returns its local id. sec.ID, sec.Group and sec.Path are ignored
// (taken from the file). sec.Parent is a local id of an earlier section of the same file, or None. fields are the
// texts as written, in schema order. keywords are added to those that the writer adds itself: "group:<group>" and
// "file:<group>/<path>".
//
// It panics when no file was started, when the number of fields is not the
// schema's, or when the parent is not an earlier section of the file.
func (w *Writer) Add(sec Section, fields []string, keywords ...string) uint32 {
	id := w.Len()
	file := &w.fileRows[len(w.fileRows)-1]
	if len(fields) != len(w.schema.Fields) {
		panic("snapshot: a section has one text per field of the schema")
	}
	if sec.Parent != None && (sec.Parent < file.First || sec.Parent >= id) {
		panic("snapshot: a parent is an earlier section of the same file")
	}
	file.Count++
	w.sections++
	b := w.current
	b.rows = append(b.rows, sectionRow{
		File: uint32(len(w.files) - 1), Start: row32(sec.Start), End: row32(sec.End),
		OwnEnd: row32(sec.OwnEnd), Body: row32(sec.Body), Parent: sec.Parent,
		Node: uint8(sec.Node), Level: uint8(sec.Level),
	})
	b.titles.add(sec.Title)
	for _, k := range keywords {
		w.keyword(k).Add(id)
	}
	b.size += int(unsafe.Sizeof(sectionRow{})) + len(sec.Title)
	for _, s := range fields {
		b.texts.add(s)
		b.size += len(s)
	}
	if b.size >= w.most {
		w.dispatch()
	}
	return id
}

// row32 converts a line number, which always fits in practice.
func row32(line int) uint32 { return uint32(min(max(line, 0), math.MaxUint32)) }

func (w *Writer) keyword(key string) *roaring.Bitmap {
	b, ok := w.keywords[key]
	if !ok {
		b = roaring.New()
		w.keywords[strings.Clone(key)] = b
	}
	return b
}

// addFileKeywords adds the keywords that every section of a file carries.
func (w *Writer) addFileKeywords() {
	for i, f := range w.files {
		from := uint64(w.fileRows[i].First)
		to := from + uint64(w.fileRows[i].Count)
		if from == to {
			continue
		}
		w.keyword("group:"+f.Group).AddRange(from, to)
		w.keyword("file:"+f.Group+"/"+f.Path).AddRange(from, to)
	}
}

func (w *Writer) startBatch() {
	w.current = &batch{
		first: w.Len(), fields: len(w.schema.Fields), stored: w.schema.stored(),
		headed: w.schema.headed(),
	}
}

// dispatch passes the current batch to a worker. It waits for an idle one.
func (w *Writer) dispatch() {
	b := w.current
	b.terms = newInterner(w.seed)
	worker := <-w.idle
	w.batches = append(w.batches, b)
	w.startBatch()
	w.work.Go(func() error {
		defer func() { w.idle <- worker }()
		worker.run(b)
		return nil
	})
}

// finish waits for all batches.
func (w *Writer) finish() error {
	if len(w.current.rows) > 0 {
		w.dispatch()
	}
	return w.work.Wait()
}

// Discard ends the Writer's goroutines. Call it if WriteFile is not called; after WriteFile it does
// nothing.
func (w *Writer) Discard() { _ = w.work.Wait() }

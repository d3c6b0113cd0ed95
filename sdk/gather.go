package sdk

import (
	"context"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// MaxGathered is the maximum number of sections that one request gathers.
const MaxGathered = 1000

// Gatherer is implemented by a strategy of [StageGather]: it retrieves sections from a collection in an
// external engine and proposes no candidates. The host makes a small snapshot of the gathered sections, with
// the statistics of the whole collection, and runs the other strategies on that snapshot. Gather honours the
// cancellation and the deadline of ctx; it is called from several goroutines at once.
type Gatherer interface {
	Gather(ctx context.Context, req *GatherRequest) (*Gathered, error)
}

// GatherRequest asks for sections of a collection.
type GatherRequest struct {
	Kind snapshot.Kind
	// Query is the plan. With no Terms, the request is for every section that passes Filter, in the
	// order of group, path (both by bytes) and line.
	Query Query
	// Terms are the terms of Query in the form of a snapshot's dictionary, each once. The result should have the
	// sections that contain most of their weight, and the document frequency of each term.
	Terms  []GatherTerm
	Filter GatherFilter
	// Limit is the maximum number of sections that the host accepts, from 1 to [MaxGathered]. A request with limit 1
	// and no terms asks whether any section exists; any section will do.
	Limit int
	// Cursor continues after an earlier result; "" starts from the beginning.
	Cursor string
	// Generation names the generation of the collection to read; "" is the newest. Gather fails if
	// it no longer exists.
	Generation string
	// Sample asks for sections that represent the whole collection, in any order: each is equally likely, and
	// preferably the same ones are chosen every time. Terms, Filter and Cursor are empty then.
	Sample bool
	// Stored asks for the stored fields of the collection as well.
	Stored bool
}

// GatherTerm is a term of the dictionary.
type GatherTerm struct {
	Text   string
	Weight float64 // multiplies the term's inverse document frequency, > 0
	// Slot is the index of the query term that this term represents, or -1 for a term that only scores.
	// Variants of a word share a slot.
	Slot int
}

// GatherFilter limits the sections. Its zero value accepts all.
type GatherFilter struct {
	// Groups lists manuals. A section must be in one of them.
	Groups []string
	// Path is a file, or a folder if it ends in '/'.
	Path string
	// Keywords lists sets of keywords. A section must have a keyword of each set.
	Keywords [][]string
}

// Gathered is the answer to a [GatherRequest].
type Gathered struct {
	// Sections are the best, best first, each key once.
	Sections []GatheredSection
	// Total is the number of sections that matched. If Exact is false, it is a lower bound.
	Total int
	Exact bool
	// Statistics are those of the whole collection, regardless of filters.
	Statistics snapshot.Statistics
	// Answered and Expected count shards. The answer is partial if they differ.
	Answered, Expected int
	// Generation names the state of the collection that answered.
	Generation string
	// Cursor continues after Sections; "" at the end.
	Cursor string
	// Stored names the stored fields that the request asked for, as [Upload.Stored] named them.
	Stored []string
}

// GatheredSection is a section as [snapshot.Writer.Add] takes it.
type GatheredSection struct {
	// Key identifies the section permanently: it stays the same when other sections come and go.
	Key string
	// Section is its row; ID and Parent have no meaning.
	Section snapshot.Section
	// Fields are the texts of the fields of its kind, in the order of the schema, and then of [Gathered.Stored].
	Fields   []string
	Keywords []string
	// Score is the engine's own score, used only for ordering.
	Score float64
}

// Upload is a request to make an external collection hold exactly what a snapshot holds.
type Upload struct {
	// To is the URL of the collection; its scheme is one of [Entry.Schemes].
	To string
	// Corpus stays open until the upload ends.
	Corpus *snapshot.Snapshot
	// Stored are fields to store in addition to those of the schema. A collection holds fields of one set of names:
	// other names are another generation.
	Stored []StoredField
	// Replace lets an upload delete everything that the collection holds. Without it, an upload that would keep
	// nothing is refused, since it probably comes from another workspace.
	Replace bool
	// Progress is called to report the progress of a phase. Calls come from several goroutines,
	// but never at the same time.
	Progress func(phase string, done, total int)
}

// StoredField is what a strategy computed for each section of a corpus. A collection stores it, so that snapshots of
// gathered sections have it as a field of this name and the strategy need not compute it for each search.
type StoredField struct {
	// Name begins with [snapshot.StoredField]. It must change whenever the texts of an unchanged section may change.
	Name string
	// Text returns the text of a section of the corpus, in UTF-8. It is called from several goroutines at once.
	Text func(section uint32) string
}

// Uploaded is the outcome of an upload.
type Uploaded struct {
	Sections   int    `json:"sections"` // that the collection holds now
	Sent       int    `json:"sent"`
	Deleted    int    `json:"deleted"`
	Generation string `json:"generation"`
}

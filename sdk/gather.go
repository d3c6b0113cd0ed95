package sdk

import (
	"context"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// MaxGathered is the most sections of one gathering.
const MaxGathered = 1000

// Gatherer is implemented by a strategy of [StageGather]: it retrieves from a collection that an engine
// elsewhere holds, and proposes no candidates. The host makes a small snapshot of what was gathered, with the
// statistics of the whole collection, and runs the other strategies on that. Gather honours the cancellation
// and the deadline of ctx; it is called from several goroutines at once.
type Gatherer interface {
	Gather(ctx context.Context, req *GatherRequest) (*Gathered, error)
}

// GatherRequest asks for sections of a collection.
type GatherRequest struct {
	Kind snapshot.Kind
	// Query is the plan. With no Terms, every section that passes Filter is asked for, in the order of
	// group, path and line.
	Query Query
	// Terms are what Query asks for as terms of the dictionary of a snapshot, each once. The sections that
	// hold most of their weight are wanted, and the document frequency of each.
	Terms  []GatherTerm
	Filter GatherFilter
	// Limit is the most sections the host will take, from 1 to [MaxGathered]. One without terms asks whether there are
	// any, and may be any of them.
	Limit int
	// Cursor goes on behind what an earlier request gave, "" begins.
	Cursor string
	// Generation is the only one that may answer; "" is the newest. Where it is gone, Gather fails.
	Generation string
}

// GatherTerm is a term of the dictionary.
type GatherTerm struct {
	Text   string
	Weight float64 // that multiplies its inverse document frequency, > 0
	// Slot is the term of the query that this one stands for, or -1 for one that only scores. Variants of a
	// word share a slot.
	Slot int
}

// GatherFilter limits the sections. Its zero value lets all pass.
type GatherFilter struct {
	// Groups are the manuals, of which a section is in one.
	Groups []string
	// Path is a file, or with a '/' at its end a folder.
	Path string
	// Keywords lists sets of keywords: a section has one of each.
	Keywords [][]string
}

// Gathered is what a collection holds for a request.
type Gathered struct {
	// Sections are the best, best first, each key once.
	Sections []GatheredSection
	// Total is how many sections matched. Exact is false where that is the least number.
	Total int
	Exact bool
	// Statistics are those of the collection, filters apart.
	Statistics snapshot.Statistics
	// Answered and Expected are the numbers of shards. The answer is partial where they differ.
	Answered, Expected int
	// Generation names the state of the collection that answered.
	Generation string
	// Cursor goes on behind Sections, "" at the end.
	Cursor string
}

// GatheredSection is a section as [snapshot.Writer.Add] takes it.
type GatheredSection struct {
	// Key names the section for good: it stays when others come and go.
	Key string
	// Section is its row; ID and Parent have no meaning.
	Section snapshot.Section
	// Fields are the texts of the fields of its kind, in the order of the schema.
	Fields   []string
	Keywords []string
	// Score is the engine's own, for the order alone.
	Score float64
}

// Upload asks for a collection elsewhere to be brought to what a snapshot holds.
type Upload struct {
	// To is the URL of the collection; its scheme is one of [Entry.Schemes].
	To string
	// Corpus stays open until the upload ends.
	Corpus *snapshot.Snapshot
	// Progress is told how far a phase is. It is called from several goroutines, one at a time.
	Progress func(phase string, done, total int)
}

// Uploaded is what an upload did.
type Uploaded struct {
	Sections   int    `json:"sections"` // that the collection holds now
	Sent       int    `json:"sent"`
	Deleted    int    `json:"deleted"`
	Generation string `json:"generation"`
}

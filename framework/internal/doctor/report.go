package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Report is the result of an examination. Its lists are never nil.
type Report struct {
	// Broken reports that something does not work, or not as configured.
	Broken bool `json:"broken"`
	// Hints lists what is broken first.
	Hints        []Hint                `json:"hints"`
	Roots        []workspace.Root      `json:"roots"`
	Skipped      []toolset.Skip        `json:"skipped"`
	Dictionaries []dict.File           `json:"dictionaries"`
	Sandbox      host.Sandbox          `json:"sandbox"`
	Strategies   []host.Status         `json:"strategies"`
	Settings     []workspace.Effective `json:"settings"`
	// Tables show what products have added.
	Tables []Table `json:"-"`

	added    []member    // by products
	suffices bool        // a product that needs no manuals is in use
	tried    index.State // the index on which strategies are tried
}

type member struct {
	name  string
	value any
}

// Hint is something to know, and what to do about it.
type Hint struct {
	Broken bool   `json:"broken"`
	What   string `json:"what"`
	Do     string `json:"do"` // "" if there is nothing to do
}

// Table is a part of the report for people.
type Table struct {
	Title  string
	Header []string
	Rows   [][]string
}

// Row adds a row.
func (t *Table) Row(cells ...string) { t.Rows = append(t.Rows, cells) }

// Yes formats a bool for a table.
func Yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// Fail adds a hint about something that does not work.
func (r *Report) Fail(what, do string) { r.Hints = append(r.Hints, Hint{true, what, do}) }

// Note adds a hint about something that works.
func (r *Report) Note(what, do string) { r.Hints = append(r.Hints, Hint{false, what, do}) }

// Lack adds a hint about missing files. It counts as broken unless the files of another product suffice.
func (r *Report) Lack(what, do string) { r.Hints = append(r.Hints, Hint{!r.suffices, what, do}) }

// Skip adds files that are not searched, or only in part, and a note for each of the two kinds that occurs. of follows
// the word files in the note, such as " of the vault".
func (r *Report) Skip(skips []toolset.Skip, of string) {
	r.Skipped = append(r.Skipped, skips...)
	parts := 0
	for _, s := range skips {
		if corpus.Partial(s.Reason) {
			parts++ // each has a row of its own
		}
	}
	note := func(n int, what string) {
		if n > 0 {
			r.Note(fmt.Sprintf("%s%s %s %s", toolset.Counted(n, "file"), of, toolset.Are(n), what),
				"the list of skipped files says why")
		}
	}
	note(toolset.SkippedFiles(skips)-parts, "not searched")
	note(parts, "searched in part")
}

// Try sets the index on which strategies are tried.
func (r *Report) Try(s index.State) { r.tried = s }

// Add adds a member to the JSON report, and tables with the same content for people.
func (r *Report) Add(name string, value any, tables ...Table) {
	r.added = append(r.added, member{name, value})
	r.Tables = append(r.Tables, tables...)
}

// MarshalJSON encodes the report with what products have added to it.
func (r *Report) MarshalJSON() ([]byte, error) {
	type own Report
	whole, err := json.Marshal((*own)(r))
	if err != nil {
		return nil, err
	}
	for _, m := range r.added {
		value, wrong := json.Marshal(m.value)
		whole = fmt.Appendf(whole[:len(whole)-1], ",%q:%s}", m.name, value)
		err = errors.Join(err, wrong)
	}
	return whole, err
}

// Made returns the name of the newest snapshot of an index, and when it was made.
func Made(s index.State) string { return s.Snapshot + " of " + s.Created.Local().Format(time.DateTime) }

// Size returns the space of an index on disk in megabytes.
func Size(s index.State) string { return fmt.Sprintf("%.1f MB", float64(s.DiskBytes)/1e6) }

// IndexTexts are the texts of a report for an index in each state.
type IndexTexts struct {
	Name     string // such as "the index"
	Empty    Hint   // the files hold nothing to search
	Missing  Hint
	Building Hint   // the number of files still to index is added
	Changed  string // files have changed since
}

// Index adds a hint about the state of an index, or about the error of reading it.
func (r *Report) Index(s index.State, err error, texts IndexTexts) {
	switch {
	case err != nil:
		r.Fail(texts.Name+" cannot be examined: "+toolset.AsError(err).Error(), "")
	case s.Damage != "":
		r.Fail(texts.Name+" is damaged: "+s.Damage, "run sagasu index; the next search would do the same")
	case s.Snapshot == "" && s.Pending == 0, s.Snapshot != "" && s.Fresh && s.Sections == 0:
		r.Fail(texts.Empty.What, texts.Empty.Do)
	case s.Snapshot == "":
		r.Note(texts.Missing.What, texts.Missing.Do)
	case s.Pending > 0:
		r.Note(fmt.Sprintf("%s: %s %s still to come", texts.Building.What, toolset.Counted(s.Pending, "file"),
			toolset.Are(s.Pending)), texts.Building.Do)
	case !s.Fresh:
		r.Note(texts.Changed, "there is nothing to do: the next search brings the index up to date")
	}
}

package doctor

import (
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Index is the state of a product's index.
type Index struct {
	Dir       string    `json:"dir"`
	Snapshot  string    `json:"snapshot"` // "" when there is none
	Fresh     bool      `json:"fresh"`    // it shows the files as they are
	Damage    string    `json:"damage"`   // why it cannot be used, "" when it can
	Created   time.Time `json:"created"`
	Sections  int       `json:"sections"`
	Files     int       `json:"files"`
	DiskBytes int64     `json:"disk_bytes"`
}

// IndexOf returns what a report shows of the state of an index.
func IndexOf(s index.State) Index {
	return Index{
		Dir: s.Dir, Snapshot: s.Snapshot, Fresh: s.Fresh, Damage: s.Damage, Created: s.Created,
		Sections: s.Sections, Files: s.Files, DiskBytes: s.DiskBytes,
	}
}

// Made says which snapshot is the newest and when it was made.
func (x Index) Made() string { return x.Snapshot + " of " + x.Created.Local().Format(time.DateTime) }

// Size is the space on disk in megabytes.
func (x Index) Size() string { return fmt.Sprintf("%.1f MB", float64(x.DiskBytes)/1e6) }

// IndexTexts are what a report says of an index in each state.
type IndexTexts struct {
	Name     string // such as "the index"
	Empty    Hint   // the files hold nothing to search
	Missing  Hint
	Building Hint   // the number of files to come is added
	Changed  string // files changed since
}

// Index adds a hint on the state of an index, or on the error of asking for it.
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
		r.Note(fmt.Sprintf("%s: %d files are still to come", texts.Building.What, s.Pending), texts.Building.Do)
	case !s.Fresh:
		r.Note(texts.Changed, "nothing: the next search brings the index up to date")
	}
}

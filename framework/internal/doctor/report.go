package doctor

import (
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Report is what an examination found. Its lists are never nil.
type Report struct {
	// Broken says that something does not work at all or not as configured.
	Broken bool `json:"broken"`
	// Hints come with what is broken first.
	Hints        []Hint                `json:"hints"`
	Roots        []Root                `json:"roots"`
	Manuals      []Manual              `json:"manuals"`
	Index        Index                 `json:"index"`
	Publications *Collection           `json:"publications,omitempty"` // absent where there are none
	Skipped      []toolset.Skip        `json:"skipped"`
	Dictionaries []dict.File           `json:"dictionaries"`
	Sandbox      host.Sandbox          `json:"sandbox"`
	Strategies   []host.Status         `json:"strategies"`
	Settings     []workspace.Effective `json:"settings"`
}

// Hint is something to know, and what to do about it.
type Hint struct {
	Broken bool   `json:"broken"`
	What   string `json:"what"`
	Do     string `json:"do"` // "" when there is nothing to do
}

// Root is a folder that the workspace consists of.
type Root struct {
	Name   string `json:"name"`
	Path   string `json:"path"`
	Exists bool   `json:"exists"`
	Origin string `json:"origin"` // where the setting came from
}

// Manual is a manual and where it lives.
type Manual struct {
	ID  string `json:"id"`
	Dir string `json:"dir"`
}

// Index is the state of the index.
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

// broken adds a hint on something that does not work.
func (r *Report) broken(what, do string) { r.Hints = append(r.Hints, Hint{true, what, do}) }

// note adds a hint on something that works.
func (r *Report) note(what, do string) { r.Hints = append(r.Hints, Hint{false, what, do}) }

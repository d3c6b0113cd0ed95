package manuals

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// Settings are the settings of the tools that search, list and read manuals.
type Settings struct {
	Collection     string   `setting:"COLLECTION_URL" arg:"URL" doc:"URL of a collection that is searched instead of files; its scheme is the strategy that gathers from it"`
	DefaultID      string   `setting:"DEFAULT_MANUAL_ID" doc:"the manual searched when a call names none"`
	ImportNetwork  []string `setting:"IMPORT_NETWORK" arg:"HOSTS" doc:"hosts that documents are imported from, separated by commas, as wiki.example:8080 where the port is not 80 or 443, with addresses or ranges such as 10.0.0.0/8 where they are not public"`
	AllowFileScope bool     `setting:"ALLOW_FILE_SCOPE" default:"false" doc:"whether a whole Markdown file may be read at once"`

	CacheEnabled bool    `setting:"SEM_CACHE_ENABLED" guest:"" default:"true" doc:"whether answers are kept for equal queries"`
	CacheTTLSec  int     `setting:"SEM_CACHE_TTL_SEC" guest:"" min:"1" max:"31536000" default:"1800" doc:"seconds that a kept answer lives"`
	CacheMaxKeep int     `setting:"SEM_CACHE_MAX_KEEP" guest:"" min:"1" max:"100000" default:"500" doc:"answers kept"`
	Similarity   float64 `setting:"SEM_CACHE_SIM_THRESHOLD" guest:"" min:"0" max:"1" default:"0.92" doc:"likeness from which on an embedding provider's queries are equal"`
	MaxGaps      int     `setting:"SEM_CACHE_MAX_SUMMARY_GAP" guest:"" min:"-1" max:"1000" default:"-1" doc:"most gaps of an answer that is given again unchecked, -1 for any"`
	MaxConflicts int     `setting:"SEM_CACHE_MAX_SUMMARY_CONFLICT" guest:"" min:"-1" max:"1000" default:"-1" doc:"most conflicts of an answer that is given again unchecked, -1 for any"`
}

// CheckSettings implements [workspace.Checker].
func (s *Settings) CheckSettings(w *workspace.Workspace) error {
	const name = "COLLECTION_URL"
	scheme, rest, ok := strings.Cut(s.Collection, "://")
	switch {
	case s.Collection == "":
		return nil
	case !ok || scheme == "" || strings.Trim(rest, "/") == "":
		return fmt.Errorf("%s (%s): it must look like weaviate://host:8080/name", name, w.Origin(name))
	case strings.ContainsAny(rest, "@?#"):
		return fmt.Errorf("%s (%s): it must hold no user, key or options; a key comes from COLLECTION_API_KEY in the "+
			"environment", name, w.Origin(name))
	case w.Named("MANUALS_ROOT"):
		return errors.New("COLLECTION_URL and MANUALS_ROOT are both set: searched are either files or a collection")
	}
	return nil
}

// mostRemembered is the maximum number of candidates of all cached answers together, each less than 1 KB.
const mostRemembered = 100_000

// cache returns the configuration of the answer cache. A call may ask for a cached answer even if that is not the
// default.
func (s *Settings) cache() *search.Cache {
	return &search.Cache{Default: s.CacheEnabled, Options: semcache.Options{
		TTL: time.Duration(s.CacheTTLSec) * time.Second, Keep: s.CacheMaxKeep, Weight: mostRemembered,
		Guard: semcache.Guard{MaxGaps: s.MaxGaps, MaxConflicts: s.MaxConflicts},
	}}
}

package workspace

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// FileName is the name of a workspace's own configuration file, in its root.
const FileName = "sagasu.toml"

// Workspace is the effective configuration of a run. Every path is absolute.
type Workspace struct {
	Root        string // the workspace folder, links resolved
	ManualsRoot string // holds one folder per manual; may not exist
	VaultRoot   string // where finished work is kept; may not exist

	// PublicationsRoot is a JSON Lines file of publications or a folder of them; may not exist.
	PublicationsRoot string

	DefaultManualID string // the manual searched when a call names none, "" for all
	LogLevel        string // trace, debug, info, warn, error or off

	TraceMaxKeep   int  // traces kept per session
	TraceTTLSec    int  // seconds that a trace lives
	AllowFileScope bool // whether a whole Markdown file may be read at once

	SparseQueryCoverageWeight float64 // weight of query coverage in a score, 0 to 10
	LateRerankEnabled         bool    // whether the bundled reranker takes part; installed ones do in any case
	LateRerankWeight          float64 // of the bundled reranker, 0 to 1
	LateRerankTopN            int     // candidates given to a reranker

	// The service of the strategy rerankhttp. A workspace's own file names none.
	RerankURL       string
	RerankAPI       string
	RerankModel     string
	RerankKeyEnv    string // the variable that holds the key
	RerankBatch     int    // texts a call
	RerankTimeoutMS int    // of a call
	RerankMaxChars  int    // of a section
	StrategyTimeMS  int    // milliseconds one strategy gets per query
	Strategies      map[string]Strategy

	CorrectiveEnabled       bool    // whether a weak answer makes a search widen
	CorrectiveCoverageMin   float64 // share of the query's terms covered below which it does, 0 to 1
	CorrectiveMarginMin     float64 // lead of the best candidate below which it does, 0 to 1 of its score
	CorrectiveMinCandidates int     // candidates below which it does
	CorrectiveOnConflict    bool    // whether a contradiction does

	SemCacheEnabled            bool    // whether answers are kept for equal queries
	SemCacheTTLSec             int     // seconds that a kept answer lives
	SemCacheMaxKeep            int     // answers kept
	SemCacheSimThreshold       float64 // likeness of equal queries by an embedding provider, 0 to 1
	SemCacheMaxSummaryGap      int     // gaps above which a kept answer is checked again, -1 for never
	SemCacheMaxSummaryConflict int     // conflicts above which it is, -1 for never

	AdaptiveTuning           bool    // whether use moves the thresholds of widening
	AdaptiveStatsPath        string  // the file of statistics; see StatsFile for where it really lies
	AdaptiveMinRecall        float64 // recall proxy that must be kept, 0 to 1
	AdaptiveCandidateLowBase int     // where candidate_low_threshold begins, 2 to 6
	AdaptiveFileBiasBase     float64 // where file_bias_threshold begins, 0.7 to 0.9

	CoverageMinRatio float64 // share of a text that counts as read, 0 to 1
	MarginalGainMin  float64 // evidence per token below which reading on is not worth it, 0 to 1

	VaultScanDefaultChunkLines int // lines of a scanned piece, at most VaultScanMaxChunkLines
	VaultScanMaxChunkLines     int
	VaultMaxChars              int // code points of one text of the vault in an answer
	VaultHistoryMaxMB          int // megabytes that earlier versions may take

	LogicRoot      string     // the repository that questions on logic are about
	LogicGlobs     repo.Globs // which of its files are code, and which specifications
	LogicQA        string     // on or off
	LogicAnswerer  string     // AnswererExtractive or AnswererChat
	LogicChatURL   string     // of the chat service, up to and with /v1
	LogicChatModel string     // its name of the model
	LogicChatKey   string     // its key, from the environment alone; it is no setting, so that nothing lists it

	Toolsets   []string // tool groups switched on; empty means by what the workspace holds
	ReadOnly   bool     // leaves out every tool that writes
	ResultForm string   // both, structured or text
	PluginPath []string // folders searched for installed strategies

	ConfigHome string // the user's own configuration folder of sagasu
	CacheHome  string // holds index directories
	StateHome  string // holds traces and statistics

	manualRoots []string          // folders of manuals given by --manuals; nil means ManualsRoot
	manualDirs  map[string]string // manuals that live elsewhere: id to folder
	origins     map[string]string
	guests      map[string]bool // settings that the workspace's own file gave
}

// LoadOptions are the sources of a configuration. The zero value reads the
// process's own environment and working directory.
type LoadOptions struct {
	Flags  Flags
	Getenv func(string) string // nil means os.Getenv; an empty value is not given
	// what relative paths of flags and environment start from; "" means the working directory
	Dir  string
	Temp string // parent of the private folder used without a home; "" means os.TempDir()
}

// Load reads all sources: a flag outranks the environment, which outranks
// sagasu.toml in the workspace, the user's configuration file and the default.
// Its error is one line that names the setting, the value and what it may be.
func Load(o LoadOptions) (*Workspace, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	homes, err := findHomes(runtime.GOOS, o.Getenv, o.Temp)
	if err != nil {
		return nil, err
	}
	w := &Workspace{ConfigHome: homes.config, StateHome: homes.state, Strategies: map[string]Strategy{},
		origins: map[string]string{}, guests: map[string]bool{}}
	user, err := readUserFile(homes)
	if err != nil {
		return nil, err
	}
	outer := []layer{flagLayer(o), envLayer(o), user.settings}
	if err := w.openRoot(outer, o.Dir); err != nil {
		return nil, err
	}
	guest, err := readGuestFile(w.Root)
	if err != nil {
		return nil, err
	}
	layers := []layer{outer[0], outer[1], guest.settings, outer[2]}
	if err := w.apply(layers, homes); err != nil {
		return nil, err
	}
	w.mergeStrategies(user, guest)
	w.mergeReranker()
	w.LogicChatKey = o.Getenv("LOGIC_CHAT_KEY")
	if err := w.placeManuals(o, user); err != nil {
		return nil, err
	}
	checks := cmp.Or(w.checkVault(), w.checkPublications(), w.checkLogic(), w.checkStats(), w.checkOverlaps())
	if checks != nil {
		return nil, checks
	}
	return w, nil
}

// Origin returns where the value of a setting such as "TRACE_MAX_KEEP" came from:
// a flag, the environment, a file with its line, or "default".
func (w *Workspace) Origin(name string) string { return w.origins[name] }

// TraceTTL is how long a trace lives.
func (w *Workspace) TraceTTL() time.Duration { return time.Duration(w.TraceTTLSec) * time.Second }

// StrategyTime is what one strategy gets per query.
func (w *Workspace) StrategyTime() time.Duration {
	return time.Duration(w.StrategyTimeMS) * time.Millisecond
}

func (o LoadOptions) complete() (LoadOptions, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Temp == "" {
		o.Temp = os.TempDir()
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return o, fmt.Errorf("find the working directory: %w", err)
	}
	o.Dir = dir
	return o, nil
}

// openRoot sets WORKSPACE_ROOT, which must be known before the workspace's
// own file can be read.
func (w *Workspace) openRoot(outer []layer, dir string) error {
	row, _ := rowOf(w, rootSetting)
	given := pick(row, outer)
	if given.base == "" {
		given.base = dir
	}
	if err := w.set(row, given); err != nil {
		return err
	}
	root, err := existingDir(w.Root)
	if err != nil {
		return given.problem(row, "a folder that exists")
	}
	w.Root = root
	return nil
}

// existingDir resolves the links of a path that must be a folder.
func existingDir(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", path)
	}
	return real, nil
}

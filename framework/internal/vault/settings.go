package vault

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// Settings are the settings of the vault's tools.
type Settings struct {
	Root  string `setting:"VAULT_ROOT" kind:"path" root:"written" guest:"" default:"${WORKSPACE_ROOT}/vault" arg:"DIR" doc:"DIR where finished work is kept"`
	Stats string `setting:"ADAPTIVE_STATS_PATH" kind:"path" guest:"${VAULT_ROOT}/.system" default:"${VAULT_ROOT}/.system/adaptive_stats.jsonl" arg:"FILE" doc:"FILE of figures, a row per search"`

	CoverageMin float64 `setting:"COVERAGE_MIN_RATIO" guest:"" min:"0" max:"1" default:"0.90" doc:"share of a text that counts as read"`
	GainMin     float64 `setting:"MARGINAL_GAIN_MIN" guest:"" min:"0" max:"1" default:"0.02" doc:"evidence per token below which reading on is not worth it"`

	ChunkLines    int `setting:"VAULT_SCAN_DEFAULT_CHUNK_LINES" guest:"" min:"1" max:"10000" default:"80" doc:"lines of a piece that a scan of the vault reads"`
	MaxChunkLines int `setting:"VAULT_SCAN_MAX_CHUNK_LINES" guest:"" min:"1" max:"10000" default:"200" doc:"most lines of such a piece"`
	MaxChars      int `setting:"VAULT_MAX_CHARS" guest:"" min:"1" max:"1000000" default:"12000" doc:"most characters of a text of the vault in an answer"`
	HistoryMaxMB  int `setting:"VAULT_HISTORY_MAX_MB" guest:"" min:"1" max:"1000000" default:"512" doc:"megabytes kept of what was overwritten in the vault"`

	statsDir string // that Stats lies below
}

const (
	rootSetting  = "VAULT_ROOT"
	statsSetting = "ADAPTIVE_STATS_PATH"
	// statsName is the file of statistics within the user's state directory.
	statsName = "adaptive_stats.jsonl"
)

// Root returns where the vault of a workspace is, if there is one.
func Root(w *workspace.Workspace) string { return workspace.Of[Settings](w).Root }

// CheckSettings refuses bounds that contradict each other. It settles where statistics lie.
func (s *Settings) CheckSettings(w *workspace.Workspace) error {
	if s.ChunkLines > s.MaxChunkLines {
		const name = "VAULT_SCAN_DEFAULT_CHUNK_LINES"
		return fmt.Errorf("%s is %d (%s): it must be at most VAULT_SCAN_MAX_CHUNK_LINES, %d",
			name, s.ChunkLines, w.Origin(name), s.MaxChunkLines)
	}
	s.placeStats(w)
	return nil
}

// placeStats settles where statistics lie: where the user says, else in the vault, else in the
// state directory of the workspace.
func (s *Settings) placeStats(w *workspace.Workspace) {
	switch {
	case w.Named(statsSetting):
		s.statsDir = existingAbove(filepath.Dir(s.Stats))
	case !exists(w):
		w.Ignore(statsSetting)
		s.Stats = filepath.Join(w.StateDir(), statsName)
		s.statsDir = existingAbove(w.StateDir())
	case w.FromGuest(statsSetting):
		s.statsDir = w.Root // no link below it is followed: this keeps a stranger's path inside
	default:
		s.statsDir = s.Root
	}
}

// Problem returns an error if VAULT_ROOT cannot be a vault: it is not a folder, or a link to none; or a link leads out
// of the workspace and the user has not named it; or it is the default and overlaps a folder that
// the user named. It is fine if VAULT_ROOT does not exist yet.
func Problem(w *workspace.Workspace) error {
	root := Root(w)
	if _, err := os.Lstat(root); err == nil && !isFolder(root) {
		return fmt.Errorf("%s is %q (%s): it must be a folder, or a link to one that exists",
			rootSetting, root, w.Origin(rootSetting))
	}
	if !w.Named(rootSetting) && !w.Holds(root) {
		return fmt.Errorf("%s is a link out of the workspace: if you trust it, name the folder with --vault-root",
			root)
	}
	if err := w.GivesWay(rootSetting); err != nil {
		return fmt.Errorf("%w, so there is no vault; name another folder with --vault-root", err)
	}
	return nil
}

// exists reports whether there is a vault.
func exists(w *workspace.Workspace) bool {
	_, err := os.Stat(Root(w))
	return err == nil && Problem(w) == nil
}

// wanted reports whether a vault exists or the user named one.
func wanted(w *workspace.Workspace) bool {
	return exists(w) || w.Origin(rootSetting) != "default" && Problem(w) == nil
}

// StatsFile returns where the statistics of searches lie: a folder that exists and the file's path
// with slashes below it.
func StatsFile(w *workspace.Workspace) (dir, name string) {
	s := workspace.Of[Settings](w)
	name, err := filepath.Rel(s.statsDir, s.Stats)
	if err != nil {
		return filepath.Split(s.Stats)
	}
	return s.statsDir, filepath.ToSlash(name)
}

// existingAbove is dir, or the nearest folder above it that exists.
func existingAbove(dir string) string {
	for filepath.Dir(dir) != dir && !isFolder(dir) {
		dir = filepath.Dir(dir)
	}
	return dir
}

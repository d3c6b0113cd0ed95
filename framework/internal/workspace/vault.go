package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// WantsVault reports whether there is a vault, or somebody named one.
func (w *Workspace) WantsVault() bool {
	return w.hasVault() || w.Origin("VAULT_ROOT") != "default" && w.VaultProblem() == nil
}

// VaultProblem returns why VAULT_ROOT cannot be a vault: it is no folder, or a link
// leads it out of the workspace although the user has not named it, or it is the default
// and overlaps what was named. One that does not exist yet is none.
func (w *Workspace) VaultProblem() error {
	if info, err := os.Stat(w.VaultRoot); err == nil && !info.IsDir() {
		return fmt.Errorf("VAULT_ROOT is %q (%s): it must be a folder", w.VaultRoot, w.Origin("VAULT_ROOT"))
	}
	named := w.Origin("VAULT_ROOT") != "default" && !w.guests["VAULT_ROOT"]
	if !named && !w.holds(w.VaultRoot) {
		return fmt.Errorf("%s is a link out of the workspace: if you trust it, name the folder with --vault-root",
			w.VaultRoot)
	}
	return w.vaultYields()
}

// checkVault refuses bounds that contradict each other, a VAULT_ROOT that names a
// file, and tools for a vault that cannot be one.
func (w *Workspace) checkVault() error {
	if w.VaultScanDefaultChunkLines > w.VaultScanMaxChunkLines {
		return fmt.Errorf("VAULT_SCAN_DEFAULT_CHUNK_LINES is %d (%s): it must be at most "+
			"VAULT_SCAN_MAX_CHUNK_LINES, %d",
			w.VaultScanDefaultChunkLines, w.Origin("VAULT_SCAN_DEFAULT_CHUNK_LINES"), w.VaultScanMaxChunkLines)
	}
	if info, err := os.Stat(w.VaultRoot); err == nil && !info.IsDir() && w.Origin("VAULT_ROOT") != "default" {
		return w.VaultProblem()
	}
	if slices.Contains(w.Toolsets, "vault") || slices.Contains(w.Toolsets, "bridge") {
		return w.VaultProblem()
	}
	return nil
}

// statsName is the file of statistics within the user's state directory.
const statsName = "adaptive_stats.jsonl"

const statsSetting = "ADAPTIVE_STATS_PATH"

// StatsFile is where the statistics of searches lie: a folder that exists and
// the file's path with slashes below it. The file is ADAPTIVE_STATS_PATH. When the
// user did not set that and there is no vault, it lies in [Workspace.StateDir].
func (w *Workspace) StatsFile() (dir, name string) {
	file := w.AdaptiveStatsPath
	switch {
	case w.guests[statsSetting] && w.hasVault():
		// No link below the folder is followed: this one keeps a stranger's path inside.
		return placed(w.Root, file)
	case w.Origin(statsSetting) != "default" && !w.guests[statsSetting]:
		return placed(existingAbove(filepath.Dir(file)), file)
	case w.hasVault():
		return placed(w.VaultRoot, file)
	}
	return placed(existingAbove(w.StateDir()), filepath.Join(w.StateDir(), statsName))
}

func placed(dir, file string) (string, string) {
	name, err := filepath.Rel(dir, file)
	if err != nil {
		return filepath.Split(file)
	}
	return dir, filepath.ToSlash(name)
}

// checkStats refuses a file of statistics that a workspace's own file names outside the
// vault's own records: it might be any file of the user.
func (w *Workspace) checkStats() error {
	system, file := filepath.Join(w.VaultRoot, ".system"), w.AdaptiveStatsPath
	if !w.guests[statsSetting] || file != system && below(system, file) {
		return nil
	}
	return fmt.Errorf("%s is %q (%s): in a workspace's own file it must be a path below %s",
		statsSetting, file, w.Origin(statsSetting), system)
}

// hasVault reports whether there is a vault. One that a link leads out of the
// workspace counts only where the user set it, and one that overlaps what was named does not.
func (w *Workspace) hasVault() bool {
	info, err := os.Stat(w.VaultRoot)
	named := w.Origin("VAULT_ROOT") != "default" && !w.guests["VAULT_ROOT"]
	return err == nil && info.IsDir() && (named || w.holds(w.VaultRoot)) && w.vaultYields() == nil
}

// existingAbove is dir, or the nearest folder above it that exists.
func existingAbove(dir string) string {
	for filepath.Dir(dir) != dir {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

package workspace

import (
	"fmt"
	"os"
	"slices"
)

// EffectiveToolsets are the tool groups that are switched on: those that TOOLSETS
// names, else those that the workspace holds something for.
func (w *Workspace) EffectiveToolsets() []string {
	if len(w.Toolsets) > 0 {
		return slices.Clone(w.Toolsets)
	}
	sets := []string{"manual"}
	named := w.Origin("VAULT_ROOT") != "default" && w.VaultProblem() == nil
	if w.hasVault() || named {
		sets = append(sets, "vault", "bridge")
	}
	if w.HasPublications() {
		sets = append(sets, "rrf")
	}
	if w.HasLogic() {
		sets = append(sets, "logic")
	}
	return sets
}

// VaultProblem says why VAULT_ROOT cannot be a vault: it is no folder, or a link
// leads it out of the workspace although the user has not named it, or it is the default
// and overlaps what was named. One that does not exist yet is none.
func (w *Workspace) VaultProblem() error {
	if info, err := os.Stat(w.VaultRoot); err == nil && !info.IsDir() {
		return fmt.Errorf("VAULT_ROOT is %q (%s): it must be a folder", w.VaultRoot, w.Origin("VAULT_ROOT"))
	}
	named := w.Origin("VAULT_ROOT") != "default" && !w.guests["VAULT_ROOT"]
	if !named && !w.holds(w.VaultRoot) {
		return fmt.Errorf("%s is a link out of the workspace: if you trust it, name the folder with --vault-root", w.VaultRoot)
	}
	return w.vaultYields()
}

// checkVault refuses bounds that contradict each other, a VAULT_ROOT that names a
// file, and tools for a vault that cannot be one.
func (w *Workspace) checkVault() error {
	if w.VaultScanDefaultChunkLines > w.VaultScanMaxChunkLines {
		return fmt.Errorf("VAULT_SCAN_DEFAULT_CHUNK_LINES is %d (%s): it must be at most VAULT_SCAN_MAX_CHUNK_LINES, %d",
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

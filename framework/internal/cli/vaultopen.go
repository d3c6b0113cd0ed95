package cli

import (
	"context"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// wantVault refuses a workspace in which there can be no vault.
func wantVault(prog *program) func(*cobra.Command, []string) error {
	return func(*cobra.Command, []string) error {
		w, err := prog.load()
		if err != nil {
			return err
		}
		if err := vault.Problem(w); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// filesOf is the vault of a command line that is being completed.
func filesOf(prog *program) *vault.Vault {
	w, err := prog.load()
	if err != nil || vault.Problem(w) != nil {
		return nil
	}
	return vault.New(vault.Options{Dir: vault.Root(w)})
}

// completeVault offers the paths of the vault.
func completeVault(prog *program) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		files := filesOf(prog)
		if files == nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		dir, _ := path.Split(typed)
		listing, err := files.Ls(context.Background(), vault.LsArgs{Dir: rootfs.Path(strings.TrimSuffix(dir, "/"))})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		paths, more := []string{}, cobra.ShellCompDirectiveNoFileComp
		for _, e := range listing.Entries {
			switch {
			case !strings.HasPrefix(e.Path, typed):
			case e.Type == "dir":
				paths, more = append(paths, e.Path+"/"), more|cobra.ShellCompDirectiveNoSpace
			default:
				paths = append(paths, e.Path)
			}
		}
		return paths, more
	}
}

// completeVaultPair offers the paths of the vault twice.
func completeVaultPair(prog *program) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 1 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completeVault(prog)(c, nil, typed)
	}
}

// completeVersion offers a path, then its versions.
func completeVersion(prog *program) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return completeVault(prog)(c, args, typed)
		}
		files := filesOf(prog)
		if files == nil || len(args) > 1 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		versions, err := files.Log(c.Context(), args[0])
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ids := []string{}
		for _, v := range versions {
			if strings.HasPrefix(v.ID, typed) {
				ids = append(ids, v.ID)
			}
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}

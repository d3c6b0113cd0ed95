package cli

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// completeFlag offers the values of a flag to the shell.
func completeFlag(c *cobra.Command, flag string, values cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, values); err != nil {
		panic(err) // the command has no such flag
	}
}

// oneOf offers fixed words and no files.
func oneOf(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// offer offers what list returns for the workspace and the beginning of a word, for at most so many arguments. If list
// fails, it offers nothing.
func offer(
	prog *program, most int,
	list func(ctx context.Context, w *workspace.Workspace, args []string, typed string) ([]string, error),
) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) (words []string, _ cobra.ShellCompDirective) {
		if w, err := prog.load(); err == nil && len(args) < most {
			words, _ = list(c.Context(), w, args, typed)
		}
		words = slices.DeleteFunc(words, func(word string) bool { return !strings.HasPrefix(word, typed) })
		if slices.ContainsFunc(words, func(word string) bool { return strings.HasSuffix(word, "/") }) {
			return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeInstalled offers the names of installed strategies as the first argument.
func completeInstalled(prog *program) cobra.CompletionFunc {
	return offer(prog, 1, func(_ context.Context, w *workspace.Workspace, _ []string, _ string) ([]string, error) {
		plugins, err := trust.Read(w.ConfigHome)
		return namesOf(plugins), err
	})
}

// completeManual offers the ids of the workspace's manuals for at most so many arguments.
func completeManual(prog *program, most int) cobra.CompletionFunc {
	return offer(prog, most,
		func(ctx context.Context, w *workspace.Workspace, _ []string, _ string) (ids []string, err error) {
			manuals, err := w.Manuals(ctx)
			return idsOf(manuals), err
		})
}

func idsOf(manuals []corpus.Manual) (ids []string) {
	for _, m := range manuals {
		ids = append(ids, m.ID)
	}
	return ids
}

// completePlace offers manuals, and the files of one, as MANUAL/PATH or as a PATH after the manual, for at most so many
// arguments.
func completePlace(prog *program, most int) cobra.CompletionFunc {
	return offer(prog, most,
		func(ctx context.Context, w *workspace.Workspace, args []string, typed string) (places []string, err error) {
			manuals, err := w.Manuals(ctx)
			if err != nil {
				return nil, err
			}
			id, at, within := strings.Cut(typed, "/")
			before := id + "/"
			switch {
			case len(args) > 0 && !strings.Contains(args[0], "/"):
				id, at, before = args[0], typed, ""
			case !within:
				return idsOf(manuals), nil
			}
			m, err := corpus.Find(manuals, id)
			if err != nil {
				return nil, err
			}
			root, err := os.OpenRoot(m.Dir)
			if err != nil {
				return nil, err
			}
			defer root.Close()
			dir, _ := path.Split(at)
			entries, err := fs.ReadDir(root.FS(), path.Clean("./"+dir))
			for _, e := range entries {
				place := before + dir + e.Name()
				switch {
				case e.IsDir() && !corpus.LeftOut(e.Name()):
					places = append(places, place+"/")
				case e.Type().IsRegular() && m.IsFile(e.Name()):
					places = append(places, place)
				}
			}
			return places, err
		})
}

// completeVault offers the paths of the vault for at most so many arguments.
func completeVault(prog *program, most int) cobra.CompletionFunc {
	return offer(prog, most, vaultPaths)
}

// completeVersion offers a path of the vault, then its versions.
func completeVersion(prog *program) cobra.CompletionFunc {
	return offer(prog, 2,
		func(ctx context.Context, w *workspace.Workspace, args []string, typed string) (ids []string, err error) {
			if len(args) == 0 {
				return vaultPaths(ctx, w, args, typed)
			}
			versions, err := vault.New(vault.Options{Dir: vault.Root(w)}).Log(args[0])
			for _, v := range versions {
				ids = append(ids, v.ID)
			}
			return ids, err
		})
}

// vaultPaths returns the contents of the folder of a partly typed path.
func vaultPaths(ctx context.Context, w *workspace.Workspace, _ []string, typed string) (paths []string, err error) {
	if err := vault.Problem(w); err != nil {
		return nil, err
	}
	dir, _ := path.Split(typed)
	listing, err := vault.New(vault.Options{Dir: vault.Root(w)}).
		Ls(ctx, vault.LsArgs{Dir: rootfs.Path(strings.TrimSuffix(dir, "/"))})
	if err != nil {
		return nil, err
	}
	for _, e := range listing.Entries {
		if e.Type == "dir" {
			e.Path += "/"
		}
		paths = append(paths, e.Path)
	}
	return paths, nil
}

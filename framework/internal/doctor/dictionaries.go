package doctor

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// dictionaryDir is the folder of a workspace that holds its dictionaries.
const dictionaryDir = "dict"

// dictionaries reads the workspace's own dictionaries; each mistake in them is a hint.
func (r *Report) dictionaries(w *workspace.Workspace) {
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		r.broken("the workspace cannot be read: "+err.Error(), "")
		return
	}
	defer root.Close()
	folder, err := dict.Load(root.FS(), dictionaryDir)
	if folder != nil {
		r.Dictionaries = append(r.Dictionaries, folder.Files...)
	}
	mistakes, ok := errors.AsType[dict.Errors](err)
	if err != nil && !ok {
		r.broken("the dictionaries cannot be read: "+err.Error(), "")
	}
	for _, m := range mistakes {
		r.broken("a dictionary has a mistake: "+m.Error(), "correct it in "+filepath.Join(w.Root, filepath.FromSlash(m.File)))
	}
}

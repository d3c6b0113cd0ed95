package corpus

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/archive"
)

// isUnpacked is why a zip archive is skipped whose text would be found twice.
const isUnpacked = "its files lie unpacked beside it and are read there"

// unpacked reports whether all files of a zip archive, compared by size, are also next to it, or in a folder of its
// name.
func (w *walker) unpacked(name string) bool {
	ext := path.Ext(name)
	if !strings.EqualFold(ext, ".zip") || !w.manual.Reads(name) || w.manual.Only != "" {
		return false
	}
	f, err := w.root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	in, err := archive.Open(sdk.Document{Content: f, Size: f.Info.Size()})
	if err != nil {
		return false // the converter reports this
	}
	files := slices.DeleteFunc(slices.Clone(in.Names()), func(file string) bool {
		return slices.ContainsFunc(strings.Split(file, "/"), func(part string) bool {
			return LeftOut(part) || part == "__MACOSX"
		})
	})
	lieIn := func(dir string) bool {
		return !slices.ContainsFunc(files, func(file string) bool {
			info, err := w.root.Dir().Lstat(filepath.FromSlash(path.Join(dir, file)))
			return err != nil || !info.Mode().IsRegular() || info.Size() != in.Size(file)
		})
	}
	return len(files) > 0 && (lieIn(strings.TrimSuffix(name, ext)) || lieIn(path.Dir(name)))
}

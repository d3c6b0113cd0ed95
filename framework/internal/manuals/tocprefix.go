package manuals

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// prefixed picks the paths that a prefix means.
func prefixed(paths []string, prefix string) ([]string, error) {
	if prefix == "" {
		return paths, nil
	}
	cleaned, bad := rootfs.Clean("path_prefix", prefix)
	if bad != nil {
		return nil, bad
	}
	folder := norm.NFC.String(cleaned) + "/"
	within, loose := []string{}, []string{}
	for _, p := range paths {
		switch composed := norm.NFC.String(p); {
		case strings.HasPrefix(composed, folder):
			within = append(within, p)
		case strings.HasPrefix(composed, folder[:len(folder)-1]):
			loose = append(loose, p)
		}
	}
	slash := strings.HasSuffix(strings.TrimSpace(strings.ReplaceAll(prefix, `\`, "/")), "/")
	if len(within) == 0 && !slash {
		within = loose
	}
	if len(within) == 0 {
		return nil, toolset.Errorf(toolset.NotFound, "no file of the manual lies under %s; take a folder from manual_ls", cleaned).
			With("parameter", "path_prefix").With("got", prefix).With("did_you_mean", toolset.DidYouMean(cleaned, folders(paths), 3))
	}
	return within, nil
}

// matches reports whether a skipped path lies under a prefix.
func matches(path, prefix string) bool {
	within, err := prefixed([]string{path}, prefix)
	return err == nil && len(within) > 0
}

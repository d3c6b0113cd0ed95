package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// build is what the binary knows about itself. Commit and Date are those of the checkout that it was built from; a
// binary installed by its module path has only a version.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// buildOf reads what the Go command recorded. info may be nil.
func buildOf(info *debug.BuildInfo) build {
	b := build{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		return b
	}
	b.Version = cmp.Or(strings.Trim(info.Main.Version, "()"), b.Version)
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		}
	}
	return b
}

// version is the version of the running binary.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return buildOf(info).Version
}

func versionCommand() *cobra.Command {
	return reportCommand(&cobra.Command{
		Use:   "version",
		Short: "Print the version, and what it was built from",
	}, "print it as JSON", func(*cobra.Command, []string) (build, error) {
		info, _ := debug.ReadBuildInfo()
		return buildOf(info), nil
	}, func(w io.Writer, b build) error {
		_, err := fmt.Fprintf(w, "sagasu %s %s %s\n", b.Version, b.Go, b.Platform)
		if err == nil && b.Commit != "" {
			_, err = fmt.Fprintf(w, "commit %s of %s\n", b.Commit, b.Date)
		}
		return err
	})
}

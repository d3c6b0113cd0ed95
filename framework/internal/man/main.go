package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra/doc"

	"github.com/sagasu-search/sagasu/framework/internal/cli"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: man DIR")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "man:", err)
		os.Exit(1)
	}
}

// write writes the pages into dir. Their date is SOURCE_DATE_EPOCH.
func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the pages: %w", err)
	}
	root := cli.Root()
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Source: "sagasu", Manual: "sagasu"}
	if err := doc.GenManTree(root, header, dir); err != nil {
		return fmt.Errorf("write the pages: %w", err)
	}
	return nil
}

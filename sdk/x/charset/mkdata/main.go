package main

import (
	"bytes"
	"compress/flate"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mkdata:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "tables":
		return write(args[1], tables())
	case len(args) == 3 && args[0] == "languages":
		data, err := languages(args[1])
		if err != nil {
			return err
		}
		return write(args[2], data)
	}
	return fmt.Errorf("want: mkdata tables FILE, or mkdata languages FOLDER FILE")
}

// write compresses data into a file.
func write(file string, data []byte) error {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(file, out.Bytes(), 0o644)
}

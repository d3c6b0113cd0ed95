package cli

import (
	"fmt"
	"io"
	"os"
)

// readArgument reads the file that an argument names, "-" for in, of at most most bytes.
func readArgument(in io.Reader, name string, most int64) ([]byte, error) {
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	raw, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(raw)) > most {
		err = fmt.Errorf("%s is larger than %d bytes", name, most)
	}
	return raw, err
}

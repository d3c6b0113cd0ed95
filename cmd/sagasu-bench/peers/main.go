package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// serve answers requests until the input ends.
func serve(in io.Reader, out io.Writer) error {
	p := newPeers()
	r, w := bufio.NewReaderSize(in, 1<<20), bufio.NewWriter(out)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return p.close()
		}
		if err != nil {
			return errors.Join(err, p.close())
		}
		if err := errors.Join(enc.Encode(p.answer(line)), w.Flush()); err != nil {
			return errors.Join(err, p.close())
		}
	}
}

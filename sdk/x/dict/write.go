package dict

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteSynonyms writes entries as a file that [ParseSynonyms] reads, below a
// comment.
func WriteSynonyms(w io.Writer, comment string, entries []Entry) error {
	out := bufio.NewWriter(w)
	for line := range strings.Lines(comment) {
		fmt.Fprintln(out, "#", strings.TrimSpace(line))
	}
	for _, e := range entries {
		fmt.Fprintln(out, e)
	}
	return out.Flush()
}

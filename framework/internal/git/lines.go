package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Line is when a line was written.
type Line struct {
	// Known is false if the history does not reach back far enough.
	Known bool
	// Written is when the author wrote the line, to the second, if known; zero for an uncommitted line.
	Written time.Time
}

// maxFile is the maximum size in bytes of a file whose history is read.
const maxFile = 4 << 20

// Lines returns when each line of src, the current content of a file, was written. path is relative to the folder of
// the history, with slashes. Git reads the last commit rather than the file, to which it would apply the folder's
// filters.
func (h *Repository) Lines(ctx context.Context, path, src string) ([]Line, error) {
	committed, err := h.blame(ctx, path)
	if err != nil {
		return nil, err
	}
	now := strings.Split(strings.TrimSuffix(src, "\n"), "\n")
	for i := range now {
		now[i] = strings.TrimSuffix(now[i], "\r")
	}
	lines := make([]Line, len(now))
	for i, at := range follow(committed, now) {
		lines[i] = Line{Known: true}
		if at >= 0 {
			lines[i] = committed[at].Line
		}
	}
	return lines, nil
}

// committed is a line of the last commit.
type committed struct {
	text string
	Line
}

// blame reads the lines of a file in the last commit. For each line, git prints the fields of its commit, and then the
// line after a tab.
func (h *Repository) blame(ctx context.Context, path string) ([]committed, error) {
	path = h.prefix + path
	size, err := h.run(ctx, nil, "cat-file", "-s", h.head+":"+path)
	if err != nil {
		return nil, fmt.Errorf("git cat-file: %w", err)
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(size), 10, 64); err != nil || n > maxFile {
		return nil, fmt.Errorf("the file has %s bytes; the history of at most %d is read",
			strings.TrimSpace(size), maxFile)
	}
	out, err := h.run(ctx, nil, "blame", "--line-porcelain", "--no-textconv", h.head, "--", path)
	if err != nil {
		return nil, fmt.Errorf("git blame: %w", err)
	}
	lines, next := []committed{}, committed{Line: Line{Known: true}}
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\r\n")
		text, isText := strings.CutPrefix(line, "\t")
		switch name, value, _ := strings.Cut(line, " "); {
		case isText:
			next.text = text
			lines, next = append(lines, next), committed{Line: Line{Known: true}}
		case name == "author-time":
			seconds, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("git blame printed the time %q", value)
			}
			next.Written = time.Unix(seconds, 0).UTC()
		case name == "boundary":
			next.Known = len(h.shallow) == 0
		}
	}
	return lines, nil
}

// follow returns for each line of a file the corresponding line of the last commit, or -1: it matches the common
// beginning and end, and between them lines that occur once in both.
func follow(old []committed, now []string) []int {
	at := make([]int, len(now))
	first := 0
	for ; first < min(len(old), len(now)) && old[first].text == now[first]; first++ {
		at[first] = first
	}
	last := 0
	for ; last < min(len(old), len(now))-first && old[len(old)-1-last].text == now[len(now)-1-last]; last++ {
		at[len(now)-1-last] = len(old) - 1 - last
	}
	places, counts := map[string]int{}, map[string]int{}
	for i := first; i < len(old)-last; i++ {
		places[old[i].text] = i
		counts[old[i].text]++
	}
	for _, line := range now[first : len(now)-last] {
		counts[line] += 2 // once in the file and once in the commit makes 3
	}
	for i := first; i < len(now)-last; i++ {
		at[i] = -1
		if counts[now[i]] == 3 {
			at[i] = places[now[i]]
		}
	}
	return at
}

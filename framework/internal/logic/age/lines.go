package age

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// Line is when a line was written.
type Line struct {
	// Known is false where the history does not reach back.
	Known bool
	// Written is when its author wrote it, to the second; zero for a line that
	// is not committed.
	Written time.Time
}

// Bounds of a file whose history is read.
const (
	maxLines = 200_000
	maxLine  = 1 << 20  // bytes
	maxFile  = 32 << 20 // bytes
)

// Lines returns when each line of a file as it stands was written, from the first on. path is
// relative to the folder of the history, with slashes. Git reads the last commit, not the
// file: it would run the folder's filters on that.
func (h *History) Lines(ctx context.Context, path, src string) ([]Line, error) {
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

// blame reads the lines of a file in the last commit.
func (h *History) blame(ctx context.Context, path string) ([]committed, error) {
	if err := h.checkSize(ctx, path); err != nil {
		return nil, err
	}
	cmd, cancel := h.command(ctx, "blame", "--porcelain", "--no-textconv", h.commit, "--", h.prefix+path)
	defer cancel()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	said := &strings.Builder{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run git: %w", err)
	}
	lines, bad := h.parse(out)
	if bad != nil {
		cancel()
	}
	if err := cmd.Wait(); bad == nil && err != nil {
		bad = fmt.Errorf("git blame: %s: %w", firstLine(said.String()), err)
	}
	return lines, bad
}

// checkSize fails when the last commit holds a file that is too large, or none.
func (h *History) checkSize(ctx context.Context, path string) error {
	cmd, cancel := h.command(ctx, "cat-file", "-s", h.commit+":"+h.prefix+path)
	defer cancel()
	said := &strings.Builder{}
	cmd.Stderr = said
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("git cat-file: %s: %w", firstLine(said.String()), err)
	}
	if size, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64); err != nil || size > maxFile {
		return errLong
	}
	return nil
}

var errLong = errors.New("the file is too long for its history to be read")

// parse reads what git blame --porcelain prints: of each line a header, of each
// commit that is new its fields, and the line behind a tab.
func (h *History) parse(out io.Reader) ([]committed, error) {
	lines, times, boundary := []committed{}, map[string]time.Time{}, map[string]bool{}
	commit, in := "", bufio.NewScanner(out)
	in.Buffer(nil, maxLine)
	for header := true; in.Scan(); {
		line := in.Text()
		text, isText := strings.CutPrefix(line, "\t")
		switch name, value, _ := strings.Cut(line, " "); {
		case isText:
			known := !h.shallow || !boundary[commit]
			line := committed{strings.TrimSuffix(text, "\r"), Line{Known: known}}
			if known {
				line.Written = times[commit]
			}
			if lines = append(lines, line); len(lines) > maxLines {
				return nil, errLong
			}
			header = true
		case header:
			commit, header = name, false
		case name == "author-time":
			seconds, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("git blame printed the time %q", value)
			}
			times[commit] = time.Unix(seconds, 0).UTC()
		case name == "boundary":
			boundary[commit] = true
		}
	}
	if errors.Is(in.Err(), bufio.ErrTooLong) {
		return nil, errLong
	}
	return lines, in.Err()
}

// follow finds for each line of a file the one of the last commit that it is, -1
// for none: those that both begin or end with, and between them what stands there once.
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
		counts[line] += 2 // in the file and once in the commit makes 3
	}
	for i := first; i < len(now)-last; i++ {
		at[i] = -1
		if counts[now[i]] == 3 {
			at[i] = places[now[i]]
		}
	}
	return at
}

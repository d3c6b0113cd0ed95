package redis

import (
	"context"
	"fmt"
	"slices"
	"time"

	redigo "github.com/gomodule/redigo/redis"
)

const (
	// mostLines bounds a list of lines, about, and mostSince those that are read at once.
	mostLines, mostSince = 30_000, 1000
	// linesTTL is how long a list lives that nobody appends to.
	linesTTL = 90 * 24 * time.Hour
)

// Lines are a list that every server appends to: a stream. One goroutine at a time uses it.
type Lines struct {
	server *Server
	key    string
	last   string // the id of the last line that was read
}

// Lines returns the list of a name.
func (s *Server) Lines(name string) *Lines { return &Lines{s, s.prefix + name, "0"} }

// field is that of a stream's entry that holds the line.
const field = "line"

// Append adds a line. It returns the lines since those that were read last, with this one, in the order that all
// servers see.
func (l *Lines) Append(ctx context.Context, line []byte) ([][]byte, error) {
	replies, err := l.server.do(ctx,
		[]any{"XADD", l.key, "MAXLEN", "~", mostLines, "*", field, line},
		[]any{"PEXPIRE", l.key, linesTTL.Milliseconds()},
		[]any{"XRANGE", l.key, "(" + l.last, "+", "COUNT", mostSince},
	)
	if err != nil {
		return nil, err
	}
	return l.read(replies[2], func([]any) {})
}

// Newest returns at most n lines, the oldest first.
func (l *Lines) Newest(ctx context.Context, n int) ([][]byte, error) {
	replies, err := l.server.do(ctx, []any{"XREVRANGE", l.key, "+", "-", "COUNT", n})
	if err != nil {
		return nil, err
	}
	return l.read(replies[0], slices.Reverse)
}

// read reads entries, in the order that arrange makes of them.
func (l *Lines) read(reply any, arrange func([]any)) (lines [][]byte, err error) {
	entries, err := redigo.Values(reply, nil)
	arrange(entries)
	for _, entry := range entries {
		var id string
		var fields [][]byte
		parts, err := redigo.Values(entry, nil)
		if err == nil {
			_, err = redigo.Scan(parts, &id, &fields)
		}
		if err != nil || len(fields) != 2 {
			return nil, fmt.Errorf("%s of %s holds what is no line", l.key, l.server)
		}
		l.last, lines = id, append(lines, fields[1])
	}
	return lines, err
}

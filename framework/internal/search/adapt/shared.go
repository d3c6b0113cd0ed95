package adapt

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// Lines are a list that several servers append to.
type Lines interface {
	// Append adds a line. It returns the lines since those that were read last, with this one, in the order that all
	// servers see.
	Append(ctx context.Context, line []byte) ([][]byte, error)
	// Newest returns at most n lines, the oldest first.
	Newest(ctx context.Context, n int) ([][]byte, error)
}

// Shared is a journal of several servers.
type Shared struct{ Lines Lines }

// usualRow is the approximate size of a row in bytes.
const usualRow = 600

// Append implements [Journal].
func (s Shared) Append(r Row) ([]Row, error) {
	line, err := r.encode()
	if err != nil {
		return nil, fmt.Errorf("append statistics: %w", err)
	}
	lines, err := s.Lines.Append(context.Background(), line)
	if err != nil {
		return nil, fmt.Errorf("append statistics: %w", err)
	}
	return parseLines(bytes.Join(lines, nil), time.Now()), nil
}

// Rows implements [Journal].
func (s Shared) Rows(most int64) ([]Row, error) {
	lines, err := s.Lines.Newest(context.Background(), int(most/usualRow))
	if err != nil {
		return nil, fmt.Errorf("read statistics: %w", err)
	}
	return parseLines(bytes.Join(lines, nil), time.Now()), nil
}

// Close implements [Journal].
func (s Shared) Close() error { return nil }

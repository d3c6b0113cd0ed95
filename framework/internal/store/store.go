package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Store keeps entries for a limited time. They belong to a session, which keeps its newest. An entry never
// changes: to put it again renews it. Sessions and keys are names, see [IsName]; with others nothing is found.
// Safe for concurrent use.
type Store interface {
	// Put stores value under key in session. It does not keep value.
	Put(ctx context.Context, session, key string, value []byte) error
	// Link stores under key in session what a key of another or the same session holds, and lets both live for
	// another [Store.TTL]. It fails with [ErrNotFound] when that is gone.
	Link(ctx context.Context, session, key, fromSession, from string) error
	// Get returns a stored value, or [ErrNotFound].
	Get(ctx context.Context, session, key string) ([]byte, error)
	// Renew lets an entry live for another [Store.TTL], or returns [ErrNotFound].
	Renew(ctx context.Context, session, key string) error
	// Newest lists at most n entries of a session, the newest first. A session that never was has none.
	Newest(ctx context.Context, session string, n int) ([]Entry, error)
	// Probe fails as Put of size bytes would where there is no room, or no right to write.
	Probe(ctx context.Context, size int) error
	// Keep is how many entries a session keeps, and TTL how long an entry lives.
	Keep() int
	TTL() time.Duration
	// String says where the entries are, as people know the place.
	String() string
}

// Opener opens the store of a kind of entries, such as traces.
type Opener func(kind string, keep int, ttl time.Duration) Store

// Entry is a stored value with its key.
type Entry struct {
	Key   string
	Value []byte
}

// ErrNotFound means that a key was never stored, has expired or was displaced.
var ErrNotFound = errors.New("not in the store")

// Forever is the TTL of entries that do not expire.
const Forever time.Duration = 1<<63 - 1

// IsName reports whether a session or a key is one: no separators, no dots.
func IsName(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

// BadName returns the error of storing under what is no name.
func BadName(session, key string) error {
	return fmt.Errorf("store: bad key %q in session %q", key, session)
}

package redis

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	redigo "github.com/gomodule/redigo/redis"

	"github.com/sagasu-search/sagasu/framework/internal/store"
)

// mostValue is the maximum number of bytes of a value.
const mostValue = 512 << 20

// entries are those of one kind. An entry is a compressed string. What a session holds is a sorted set of keys,
// by the microsecond in which they were put.
type entries struct {
	*Server
	kind string
	keep int
	ttl  time.Duration
}

// Store returns the store of a kind of entries, such as traces. A session keeps its newest keep for ttl.
func (s *Server) Store(kind string, keep int, ttl time.Duration) store.Store {
	return &entries{s, kind, keep, ttl}
}

// Keep implements [store.Store].
func (e *entries) Keep() int { return e.keep }

// TTL implements [store.Store].
func (e *entries) TTL() time.Duration { return e.ttl }

// Put implements [store.Store].
func (e *entries) Put(ctx context.Context, session, key string, value []byte) error {
	if !store.IsName(session) || !store.IsName(key) {
		return store.BadName(session, key)
	}
	at := e.at(session, key)
	return e.enter(ctx, session, key, []any{"SET", at, e.encoder.EncodeAll(value, nil)}, e.live(at))
}

// Link implements [store.Store].
func (e *entries) Link(ctx context.Context, session, key, fromSession, from string) error {
	if !store.IsName(session) || !store.IsName(key) || !store.IsName(fromSession) || !store.IsName(from) {
		return store.ErrNotFound
	}
	copied, err := redigo.Int(e.one(ctx, "COPY", e.at(fromSession, from), e.at(session, key), "REPLACE"))
	if err == nil && copied == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		return err
	}
	return e.enter(ctx, session, key, e.live(e.at(session, key)), e.live(e.at(fromSession, from)),
		[]any{"ZADD", e.at(fromSession), "XX", now(), from}, e.live(e.at(fromSession)))
}

// enter runs commands that store a key, lists it as the newest of its session, and removes what is beyond the
// newest keep.
func (e *entries) enter(ctx context.Context, session, key string, commands ...[]any) error {
	all, last := e.at(session), -e.keep-1
	replies, err := e.do(ctx, append(commands,
		[]any{"ZADD", all, now(), key},
		[]any{"ZREMRANGEBYSCORE", all, "-inf", e.expired()},
		e.live(all),
		[]any{"ZRANGE", all, 0, last},
		[]any{"ZREMRANGEBYRANK", all, 0, last},
	)...)
	if err != nil {
		return err
	}
	surplus, err := redigo.Strings(replies[len(replies)-2], nil)
	if err != nil || len(surplus) == 0 {
		return err
	}
	remove := []any{"UNLINK"}
	for _, key := range surplus {
		remove = append(remove, e.at(session, key))
	}
	_, err = e.do(ctx, remove)
	return err
}

// Get implements [store.Store].
func (e *entries) Get(ctx context.Context, session, key string) ([]byte, error) {
	if !store.IsName(session) || !store.IsName(key) {
		return nil, store.ErrNotFound
	}
	packed, err := redigo.Bytes(e.one(ctx, "GET", e.at(session, key)))
	if errors.Is(err, redigo.ErrNil) {
		return nil, store.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return e.unpack(key, packed)
}

func (e *entries) unpack(key string, packed []byte) ([]byte, error) {
	value, err := e.decoder.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", key, err)
	}
	return value, nil
}

// Renew implements [store.Store].
func (e *entries) Renew(ctx context.Context, session, key string) error {
	if !store.IsName(session) || !store.IsName(key) {
		return store.ErrNotFound
	}
	replies, err := e.do(ctx, e.live(e.at(session, key)), []any{"ZADD", e.at(session), "XX", now(), key},
		e.live(e.at(session)))
	if err != nil {
		return err
	}
	if there, err := redigo.Int(replies[0], nil); err != nil || there == 0 {
		return errors.Join(store.ErrNotFound, err)
	}
	return nil
}

// Newest implements [store.Store].
func (e *entries) Newest(ctx context.Context, session string, n int) (newest []store.Entry, err error) {
	if !store.IsName(session) {
		return nil, nil
	}
	keys, err := redigo.Strings(e.one(ctx, "ZREVRANGEBYSCORE", e.at(session), "+inf", "("+e.expired(), "LIMIT", 0, n))
	if err != nil || len(keys) == 0 {
		return nil, err
	}
	get := []any{}
	for _, key := range keys {
		get = append(get, e.at(session, key))
	}
	values, err := redigo.ByteSlices(e.one(ctx, "MGET", get...))
	if err != nil {
		return nil, err
	}
	for i, packed := range values {
		if packed == nil { // it expired meanwhile
			continue
		}
		value, err := e.unpack(keys[i], packed)
		if err != nil {
			return nil, err
		}
		newest = append(newest, store.Entry{Key: keys[i], Value: value})
	}
	return newest, nil
}

// Probe implements [store.Store]. A server that is full takes no value of any size.
func (e *entries) Probe(ctx context.Context, _ int) error {
	_, err := e.Check(ctx)
	return err
}

// one sends one command.
func (e *entries) one(ctx context.Context, name string, args ...any) (any, error) {
	replies, err := e.do(ctx, append([]any{name}, args...))
	if err != nil {
		return nil, err
	}
	return replies[0], nil
}

// at returns the name on the server of a session, or of a key in it.
func (e *entries) at(parts ...string) string {
	return e.prefix + e.kind + ":" + strings.Join(parts, ":")
}

// live returns the command that lets a name live for another ttl. Its reply is 0 where the name is gone.
func (e *entries) live(at string) []any {
	if e.ttl == store.Forever {
		return []any{"EXISTS", at}
	}
	return []any{"PEXPIRE", at, e.ttl.Milliseconds()}
}

func now() int64 { return time.Now().UnixMicro() }

// expired returns the time up to which what was put has expired.
func (e *entries) expired() string {
	if e.ttl == store.Forever {
		return "0"
	}
	return fmt.Sprint(now() - e.ttl.Microseconds())
}

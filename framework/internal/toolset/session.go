package toolset

import (
	"context"
	"reflect"
	"sync"
)

// Session holds what the calls of one client remember, one value per type. It is safe for concurrent use.
type Session struct {
	mu     sync.Mutex
	values map[reflect.Type]any
}

type sessionKey struct{}

// WithSession returns a context whose calls belong to a session; nil means none.
func WithSession(ctx context.Context, s *Session) context.Context {
	return context.WithValue(ctx, sessionKey{}, s)
}

// Remembered returns the session's value of type T, and creates it on first use. It returns nil for a call without a
// session.
func Remembered[T any](ctx context.Context, create func() *T) *T {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := reflect.TypeFor[T]()
	if v, ok := s.values[key].(*T); ok {
		return v
	}
	if s.values == nil {
		s.values = map[reflect.Type]any{}
	}
	v := create()
	s.values[key] = v
	return v
}

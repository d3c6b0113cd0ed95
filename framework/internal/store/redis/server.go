package redis

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	redigo "github.com/gomodule/redigo/redis"
	"github.com/klauspost/compress/zstd"
)

const (
	// callTime is the longest that a call takes, from looking for the server to its reply.
	callTime = 800 * time.Millisecond
	// rest is how long calls fail at once after one that got no reply.
	rest = time.Second
	// mostConnections bounds those that are open, and mostIdle those that wait for a call.
	mostConnections, mostIdle = 32, 8
	idleTime                  = 5 * time.Minute
)

// Server is a Redis. Safe for concurrent use.
type Server struct {
	address Address
	prefix  string // of every key
	pool    atomic.Pointer[redigo.Pool]
	encoder *zstd.Encoder
	decoder *zstd.Decoder

	mu      sync.Mutex
	failure error     // why the last call got no reply, nil where it got one
	resume  time.Time // until then calls fail with it
}

// Open returns the Redis at an address. Its keys begin with the namespace, which workspaces have of their own.
// Nothing is connected before it is needed. Close ends it.
func Open(address Address, namespace string) (*Server, error) {
	s := &Server{address: address, prefix: "sagasu:" + namespace + ":"}
	var err error
	if s.encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)); err != nil {
		return nil, fmt.Errorf("compress for Redis: %w", err)
	}
	if s.decoder, err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(mostValue)); err != nil {
		return nil, fmt.Errorf("compress for Redis: %w", err)
	}
	s.pool.Store(s.newPool())
	return s, nil
}

// Close closes every connection.
func (s *Server) Close() error {
	s.decoder.Close()
	return errors.Join(s.encoder.Close(), s.pool.Load().Close())
}

// String says where the server is.
func (s *Server) String() string { return "Redis at " + s.address.String() }

// Check returns why nothing can be kept on the server, nil where it can. With wrong the address or what it says
// is at fault; else the server may come back.
func (s *Server) Check(ctx context.Context) (wrong bool, err error) {
	_, err = s.do(ctx, []any{"SET", s.prefix + "check", "", "PX", 1})
	return err != nil && !away(err), err
}

// do sends commands, several of them as a transaction, and returns a reply for each.
func (s *Server) do(ctx context.Context, commands ...[]any) ([]any, error) {
	if err := s.resting(); err != nil {
		return nil, err
	}
	within, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	replies, err := s.try(within, commands)
	if err != nil && stale(err) {
		s.pool.Swap(s.newPool()).Close() // what it keeps leads where a server was
		if !timedOut(err) {
			replies, err = s.try(within, commands)
		}
	}
	if err != nil && timedOut(err) {
		err = errNoReply
		end, _ := within.Deadline()
		if callers, ok := ctx.Deadline(); ok && callers.Equal(end) {
			return nil, context.DeadlineExceeded // which says nothing of the server
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.note(err)
	return replies, err
}

func timedOut(err error) bool {
	late, ok := errors.AsType[net.Error](err)
	return ok && late.Timeout()
}

// errNoReply stands for all that a wait for the server ends with.
var errNoReply = fmt.Errorf("it does not reply within %v", callTime)

// resting returns the failure that calls end with at once. After a rest one call tries, the others rest again.
func (s *Server) resting() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); s.failure == nil || now.After(s.resume) {
		s.resume = now.Add(rest)
		return nil
	}
	return s.failure
}

// note keeps what became of a call.
func (s *Server) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = nil
	if _, replied := errors.AsType[redigo.Error](err); err != nil && !replied {
		s.failure, s.resume = err, time.Now().Add(rest)
	}
}

func (s *Server) try(ctx context.Context, commands [][]any) ([]any, error) {
	conn, err := s.pool.Load().GetContext(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if len(commands) == 1 {
		reply, err := run(ctx, conn, commands[0]...)
		return []any{reply}, err
	}
	for _, command := range slices.Concat([][]any{{"MULTI"}}, commands) {
		if err := conn.Send(command[0].(string), command[1:]...); err != nil {
			return nil, err
		}
	}
	replies, err := redigo.Values(run(ctx, conn, "EXEC"))
	if err == nil && len(replies) != len(commands) {
		return nil, fmt.Errorf("it replied to %d of %d commands", len(replies), len(commands))
	}
	for _, reply := range replies {
		if failed, ok := reply.(redigo.Error); ok {
			err = cmp.Or(err, error(failed))
		}
	}
	return replies, err
}

// run sends a command and waits for its reply until ctx ends, which has a deadline.
func run(ctx context.Context, conn redigo.Conn, command ...any) (any, error) {
	end, _ := ctx.Deadline()
	return redigo.DoWithTimeout(conn, max(1, time.Until(end)), command[0].(string), command[1:]...)
}

// stale reports whether another connection may fare better: this one broke, or leads to what is no master.
func stale(err error) bool {
	said, replied := errors.AsType[redigo.Error](err)
	return !replied && !errors.Is(err, context.Canceled) || strings.HasPrefix(string(said), "READONLY ")
}

// passing are the words that begin a reply of a server that is fine but for now.
var passing = []string{"READONLY", "LOADING", "MASTERDOWN", "OOM", "MISCONF", "BUSY", "NOREPLICAS", "TRYAGAIN"}

// away reports whether a failure may pass: the server is not there, or has no room.
func away(err error) bool {
	if said, replied := errors.AsType[redigo.Error](err); replied {
		word, _, _ := strings.Cut(string(said), " ")
		return slices.Contains(passing, word)
	}
	if unknown, ok := errors.AsType[*net.DNSError](err); ok && unknown.IsNotFound {
		return false
	}
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, io.EOF) || errors.Is(err, errNoReply) || errors.Is(err, errNoMaster)
}

func (s *Server) newPool() *redigo.Pool {
	return &redigo.Pool{
		DialContext: s.dial, MaxIdle: mostIdle, MaxActive: mostConnections, Wait: true, IdleTimeout: idleTime,
	}
}

// dial connects to the server, or to the one that is the master by now.
func (s *Server) dial(ctx context.Context) (redigo.Conn, error) {
	a := s.address
	options := []redigo.DialOption{
		redigo.DialUsername(a.user), redigo.DialPassword(a.password), redigo.DialDatabase(a.database),
	}
	if a.master == "" {
		return s.connect(ctx, a.hosts[0], options...)
	}
	host, err := s.master(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := s.connect(ctx, host, options...)
	if err != nil {
		return nil, err
	}
	var role string
	reply, err := redigo.Values(run(ctx, conn, "ROLE"))
	if err == nil {
		_, err = redigo.Scan(reply, &role)
	}
	if err == nil && role != "master" {
		err = errNoMaster
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// errNoMaster is that of Sentinels which have not agreed on another master yet.
var errNoMaster = errors.New("its Sentinels name a server that is no master")

// master asks the Sentinels in turn where the master is.
func (s *Server) master(ctx context.Context) (host string, err error) {
	for _, sentinel := range s.address.hosts {
		within, cancel := context.WithTimeout(ctx, callTime/time.Duration(1+len(s.address.hosts)))
		host, err = s.ask(within, sentinel)
		cancel()
		if err == nil {
			return host, nil
		}
	}
	return "", err
}

func (s *Server) ask(ctx context.Context, sentinel string) (host string, err error) {
	conn, err := s.connect(ctx, sentinel, redigo.DialPassword(s.address.sentinelPassword))
	if err != nil {
		return "", err
	}
	defer conn.Close()
	found, err := redigo.Strings(run(ctx, conn, "SENTINEL", "get-master-addr-by-name", s.address.master))
	if errors.Is(err, redigo.ErrNil) {
		return "", fmt.Errorf("the Sentinel at %s knows no master %q", sentinel, s.address.master)
	}
	if err != nil {
		return "", err
	}
	if len(found) != 2 {
		return "", fmt.Errorf("the Sentinel at %s does not say where the master is", sentinel)
	}
	return net.JoinHostPort(found[0], found[1]), nil
}

func (s *Server) connect(ctx context.Context, host string, options ...redigo.DialOption) (redigo.Conn, error) {
	end, _ := ctx.Deadline()
	return redigo.DialContext(ctx, "tcp", host, append(options,
		redigo.DialReadTimeout(callTime), redigo.DialWriteTimeout(callTime),
		redigo.DialTLSHandshakeTimeout(max(1, time.Until(end))), redigo.DialUseTLS(s.address.secure()),
		redigo.DialTLSConfig(&tls.Config{MinVersion: tls.VersionTLS12}))...)
}

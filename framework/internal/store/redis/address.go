package redis

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// Address says where a Redis is and what it asks for. It is a setting, and shows without its passwords.
type Address struct {
	scheme           string
	hosts            []string // host:port of the Redis, or of its Sentinels
	master           string   // the name by which Sentinels know the Redis, "" without Sentinels
	database         int
	user, password   string
	sentinelPassword string
}

const (
	redisPort    = "6379"
	sentinelPort = "26379"
)

// errAddress has no part of the text, which may hold a password.
var errAddress = errors.New("not the URL of a Redis")

// ParseSetting reads redis://user:password@host:port/database, rediss:// for TLS, or
// redis-sentinel://user:password@host:port,host:port/name/database?sentinel_password=… and rediss-sentinel://.
func (a *Address) ParseSetting(raw string) error {
	scheme, rest, _ := strings.Cut(raw, "://")
	// The list of hosts is no valid authority of a URL: the first stands for all of them.
	authority, path, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@') + 1
	hosts := strings.Split(authority[at:], ",")
	u, err := url.Parse(scheme + "://" + authority[:at] + hosts[0] + "/" + path)
	if err != nil || u.Fragment != "" {
		return errAddress
	}
	parsed := Address{scheme: scheme, user: u.User.Username()}
	parsed.password, _ = u.User.Password()
	query := u.Query()
	port, database := redisPort, strings.TrimPrefix(u.Path, "/")
	if parsed.sentinels() {
		port = sentinelPort
		parsed.master, database, _ = strings.Cut(database, "/")
		parsed.sentinelPassword = query.Get("sentinel_password")
		query.Del("sentinel_password")
	}
	switch {
	case scheme != "redis" && scheme != "rediss" && !parsed.sentinels(), len(query) > 0,
		len(hosts) > 1 && !parsed.sentinels(), parsed.sentinels() && parsed.master == "":
		return errAddress
	}
	for _, host := range hosts {
		h, err := url.Parse("redis://" + host)
		if err != nil || h.Hostname() == "" || h.Host != host {
			return errAddress
		}
		if h.Port() != "" {
			port = h.Port()
		}
		parsed.hosts = append(parsed.hosts, net.JoinHostPort(h.Hostname(), port))
	}
	if database != "" {
		if parsed.database, err = strconv.Atoi(database); err != nil || parsed.database < 0 {
			return errAddress
		}
	}
	*a = parsed
	return nil
}

// IsSet reports whether the setting was given.
func (a Address) IsSet() bool { return len(a.hosts) > 0 }

func (a Address) sentinels() bool { return strings.HasSuffix(a.scheme, "-sentinel") }

func (a Address) secure() bool { return strings.HasPrefix(a.scheme, "rediss") }

// String returns the URL without user and passwords, "" for none.
func (a Address) String() string {
	if !a.IsSet() {
		return ""
	}
	path := strconv.Itoa(a.database)
	if a.master != "" {
		path = a.master + "/" + path
	}
	return fmt.Sprintf("%s://%s/%s", a.scheme, strings.Join(a.hosts, ","), path)
}

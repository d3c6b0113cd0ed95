package redis

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
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

var (
	// hostForm is a host with or without a port.
	hostForm = lazyregexp.New(`^(?:\[([0-9a-fA-F:]+)\]|([\w.-]+))(?::(\d{1,5}))?$`)
	// masterForm is a name that Sentinels may give.
	masterForm = lazyregexp.New(`^[\w.-]+$`)
)

// ParseSetting reads redis://user:password@host:port/database, rediss:// for TLS, or
// redis-sentinel://user:password@host:port,host:port/name/database?sentinel_password=… and rediss-sentinel://.
func (a *Address) ParseSetting(raw string) error {
	scheme, rest, _ := strings.Cut(raw, "://")
	authority, path, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@') + 1
	hosts := strings.Split(authority[at:], ",")
	u, err := url.Parse("redis://" + authority[:at] + "host/" + path) // a list of hosts is no authority of a URL
	if err != nil || u.Fragment != "" {
		return errAddress
	}
	parsed := Address{scheme: scheme, user: u.User.Username()}
	parsed.password, _ = u.User.Password()
	query, port, database := u.Query(), redisPort, strings.TrimPrefix(u.Path, "/")
	switch scheme {
	case "redis", "rediss":
		if len(hosts) > 1 {
			return errAddress
		}
	case "redis-sentinel", "rediss-sentinel":
		port = sentinelPort
		parsed.master, database, _ = strings.Cut(database, "/")
		parsed.sentinelPassword = query.Get("sentinel_password")
		query.Del("sentinel_password")
		if !masterForm().MatchString(parsed.master) {
			return errAddress
		}
	default:
		return errAddress
	}
	for _, host := range hosts {
		m := hostForm().FindStringSubmatch(host)
		if m == nil {
			return errAddress
		}
		parsed.hosts = append(parsed.hosts, net.JoinHostPort(m[1]+m[2], cmp.Or(m[3], port)))
	}
	if database != "" {
		parsed.database, err = strconv.Atoi(database)
	}
	if err != nil || parsed.database < 0 || len(query) > 0 {
		return errAddress
	}
	*a = parsed
	return nil
}

// IsSet reports whether the setting was given.
func (a Address) IsSet() bool { return len(a.hosts) > 0 }

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

// Settings are those of what servers share.
type Settings struct {
	Address   Address `setting:"REDIS_URL" private:"" want:"redis:// or rediss:// with host:port/database, or redis-sentinel://host:port,host:port/name/database, special characters percent-encoded" doc:"keep traces, runs, cached answers and statistics in the Redis at this URL, for several servers"`
	Namespace string  `setting:"REDIS_NAMESPACE" doc:"the name under which Redis keeps what the servers of this workspace share; that of its folder when not given"`
}

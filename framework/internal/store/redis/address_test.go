package redis

import (
	"strings"
	"testing"
)

func TestAddress(t *testing.T) {
	for raw, shown := range map[string]string{
		"redis://localhost":                                              "redis://localhost:6379/0",
		"redis://:geheim@10.0.0.5:7000/3":                                "redis://10.0.0.5:7000/3",
		"rediss://user:gehe%40im@cache.example.com/":                     "rediss://cache.example.com:6379/0",
		"redis://[::1]:7000":                                             "redis://[::1]:7000/0",
		"redis-sentinel://a,b:1,c/main":                                  "redis-sentinel://a:26379,b:1,c:26379/main/0",
		"redis-sentinel://user:geheim@a/main/2?sentinel_password=geheim": "redis-sentinel://a:26379/main/2",
		"rediss-sentinel://a:1,[::1]/main":                               "rediss-sentinel://a:1,[::1]:26379/main/0",
	} {
		var a Address
		if err := a.ParseSetting(raw); err != nil || a.String() != shown || !a.IsSet() {
			t.Errorf("%s: %s, %v", raw, a, err)
		}
		if (a.master != "") != strings.Contains(raw, "sentinel://") || a.secure() != strings.HasPrefix(raw, "rediss") {
			t.Errorf("%s: Sentinels %t, TLS %t", raw, a.master != "", a.secure())
		}
	}
	for _, raw := range []string{
		"", "localhost:6379", "http://localhost", "redis://", "redis://a,b", "redis://a/x", "redis://a/-1", "redis://a?x=1",
		"redis://geheim@a:port", "redis-sentinel://a", "redis-sentinel://a,/main", "redis://a/0#geheim", "redis://geheim@a b",
	} {
		var a Address
		if err := a.ParseSetting(raw); err == nil || strings.Contains(err.Error(), "geheim") || a.IsSet() {
			t.Errorf("%q: %s, %v", raw, a, err)
		}
	}
}

// Whatever is taken can be shown and read again, and shows no password.
func FuzzAddress(f *testing.F) {
	f.Add("redis://user:password@host:6379/3")
	f.Add("rediss-sentinel://u:p@a:1,b,[::1]:2/main/4?sentinel_password=x")
	f.Fuzz(func(t *testing.T, raw string) {
		var a, again Address
		if a.ParseSetting(raw) != nil {
			return
		}
		if err := again.ParseSetting(a.String()); err != nil || again.String() != a.String() || again.password != "" {
			t.Errorf("%q shows as %q, which is %q, %v", raw, a, again, err)
		}
	})
}

package docimport

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// robots is what the robots.txt of a site says to the agent (RFC 9309), or why it cannot be read.
type robots struct {
	rules []robotsRule
	delay time.Duration // between two requests
	err   error
}

// robotsRule is a line of robots.txt: paths that match the pattern may or may not be fetched.
type robotsRule struct {
	pattern string
	allow   bool
}

// parseRobots reads a robots.txt. It ignores what it does not know.
func parseRobots(src string) robots {
	var ours, all robots
	var named, forUs, forAll bool // a group names the agent; the current group is for it, or for all
	begun := true                 // the lines that name the agents of the current group are over
	src = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(src, "\ufeff"))
	for line := range strings.SplitSeq(src, "\n") {
		line, _, _ = strings.Cut(line, "#")
		key, value, _ := strings.Cut(line, ":")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		var add func(*robots)
		switch key {
		case "user-agent":
			if begun {
				begun, forUs, forAll = false, false, false
			}
			isOther := func(r rune) bool { return r != '-' && r != '_' && (r < 'a' || r > 'z') }
			product := strings.ToLower(value)
			if end := strings.IndexFunc(product, isOther); end >= 0 {
				product = product[:end]
			}
			forAll = forAll || value == "*"
			forUs = forUs || product == agent
			named = named || forUs
			continue
		case "allow", "disallow":
			rule := robotsRule{canonical(value), key == "allow"}
			add = func(r *robots) {
				if value != "" {
					r.rules = append(r.rules, rule)
				}
			}
		case "crawl-delay":
			seconds, err := strconv.ParseFloat(value, 64)
			if err != nil || !(seconds >= 0) {
				continue
			}
			delay := time.Duration(min(seconds, 1e6) * float64(time.Second))
			add = func(r *robots) { r.delay = delay }
		default:
			continue
		}
		begun = true
		if forUs {
			add(&ours)
		}
		if forAll {
			add(&all)
		}
	}
	if named {
		return ours
	}
	return all
}

// allows reports whether a path, with its query, may be fetched. The longest matching pattern decides.
func (r robots) allows(path string) bool {
	path = canonical(path)
	allow, longest := true, 0
	for _, rule := range r.rules {
		n := len(rule.pattern)
		if (n > longest || n == longest && rule.allow) && rule.matches(path) {
			allow, longest = rule.allow, n
		}
	}
	return allow
}

// matches reports whether a path begins with the pattern, in which * is any text and a final $ is the end of the path.
func (r robotsRule) matches(path string) bool {
	pattern, whole := strings.CutSuffix(r.pattern, "$")
	first, rest, more := strings.Cut(pattern, "*")
	path, found := strings.CutPrefix(path, first)
	for found && more {
		if first, rest, more = strings.Cut(rest, "*"); whole && !more {
			return strings.HasSuffix(path, first)
		}
		_, path, found = strings.Cut(path, first)
	}
	return found && (!whole || path == "")
}

// canonical returns the same text for all ways to escape a path or a pattern.
func canonical(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		c, escaped := s[i], false
		if c == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				c, escaped, i = byte(n), true, i+2
			}
		}
		isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if isLetter || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 || !escaped && ' ' < c && c < 0x7f {
			out.WriteByte(c)
		} else {
			fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}

package rule

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var (
	optionalField = lazyregexp.New(`^\s*(?:readonly\s+|public\s+)?["']?(\w+)["']?\?\s*:`)
	pythonField   = lazyregexp.New(`^\s*(\w+)\s*:\s*([^=]+?)\s*(=.*)?$`)
	zodField      = lazyregexp.New(`^\s*["']?(\w+)["']?\s*:\s*z\.(.*)$`)
	typeField     = lazyregexp.New(`^\s*(?:readonly\s+)?(\w+)\s*:\s*[^;,]+[;,]?\s*$`)
	goField       = lazyregexp.New("^\\s*(\\w+)\\s+(\\*?)[\\w.\\[\\]]+\\s+`(.*)`")
	lacking       = lazyregexp.New(`^\(?(?:!|not\s+)\(?(?:\w+\.)*(\w+)\)?$|(\w+)\s*(?:==|===|is)\s*(?:nil|null|None|undefined|""|'')|(?:\.get\(|\[)["'](\w+)["'][\])]\s*(?:is None)?$|^not\s+\w+\.get\(["'](\w+)["']\)`)
)

// presences reads which fields are required and which optional.
func (r *reader) presences() []Rule {
	rules := []Rule{}
	if r.unit.Kind == code.Type || r.unit.Kind == code.Constant {
		r.each(func(line int, text string) {
			if name, required, ok := r.field(text); ok {
				rules = append(rules, fieldRule(line, name, required))
			}
		})
	}
	for _, g := range r.guards {
		if m := lacking().FindStringSubmatch(strings.TrimSpace(g.condition)); m != nil && g.sign < 0 && demands().MatchString(g.body) {
			rules = append(rules, fieldRule(g.line, strings.Join(m[1:], ""), true))
		}
	}
	return rules
}

// demands is what a failure says that misses something.
var demands = lazyregexp.New(`(?i)required|missing|must be (?:given|present|set)|blank|empty|mandatory|必須|指定|入力`)

func fieldRule(line int, name string, required bool) Rule {
	r := rule(Presence, line, name)
	r.Must, r.Values = required, []string{name}
	return r
}

// field reads the declaration of a field on a line.
func (r *reader) field(text string) (name string, required, ok bool) {
	if m := goField().FindStringSubmatch(text); m != nil && r.Language == "go" {
		demanded := strings.Contains(m[3], "required")
		return m[1], demanded, demanded || m[2] == "*" || strings.Contains(m[3], "omitempty")
	}
	if m := zodField().FindStringSubmatch(text); m != nil {
		return m[1], !strings.Contains(m[2], ".optional(") && !strings.Contains(m[2], ".nullish("), true
	}
	if m := optionalField().FindStringSubmatch(text); m != nil {
		return m[1], false, true
	}
	if m := pythonField().FindStringSubmatch(text); m != nil && r.Language == "python" {
		open := strings.Contains(m[2], "Optional") || strings.Contains(m[2], "None")
		return m[1], !open && m[3] == "", open || m[3] == ""
	}
	if m := typeField().FindStringSubmatch(text); m != nil && r.Language == "typescript" && r.unit.Kind == code.Type {
		return m[1], true, !strings.Contains(text, "undefined")
	}
	return "", false, false
}

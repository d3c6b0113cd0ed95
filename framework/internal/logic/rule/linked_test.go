package rule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
)

// A statement is held against the line that fulfils it by its words, among all lines of the repository.
func TestStatementsMeetTheLinesThatFulfilThem(t *testing.T) {
	const retention = "audit_retention_days = 90 # daemon deletes older audit records"
	for name, tt := range map[string]struct {
		lines, says, want string
	}{
		"another value":        {retention, "The daemon SHALL delete audit records older than the retention of 30 days.", retention},
		"the same value":       {retention, "The daemon SHALL delete audit records older than the retention of 90 days.", ""},
		"a name not spoken of": {retention, "The daemon SHALL delete audit records older than 30 days.", ""},
		"the value of another statement": {retention,
			"The daemon SHALL delete audit records older than the retention of 30 days, at most 90 days.", ""},
		"the wanted value elsewhere": {retention + "\naudit_retention_grace = 30 # days, daemon deletes older audit records",
			"The daemon SHALL delete audit records older than the retention of 30 days.", ""},
		"a number spelled out": {retention, "The daemon SHALL delete audit records older than the retention of thirty days.", ""},
		"few words in common":  {"retention_days = 90", "Nobody SHALL ever be kept waiting for any of his many parcels, letters, cards, books, or for his retention, over 30 hours.", ""},
	} {
		t.Run(name, func(t *testing.T) {
			src := tt.lines + "\n"
			for i := range 200 {
				src += fmt.Sprintf("%s_width = %d\n", strings.Repeat(string(rune('a'+i%26)), 3+i/26), 1000+i)
			}
			has := Code("daemon.py", []byte(src), code.Cut("daemon.py", []byte(src)))
			wants := []Rule{}
			for _, u := range spec.Cut("spec.md", []byte("### Requirement: Audit\n"+tt.says+"\n")) {
				wants = append(wants, Spec("spec.md", u)...)
			}
			told := []string{}
			for _, c := range Linked(t.Context(), has, wants).Conflicts {
				told = append(told, c.Has.Text)
			}
			if got := strings.Join(told, "\n"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

package answer

import (
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
)

// Without a specification that code could contradict, its rules are not read.
func TestCodeAloneContradictsNothing(t *testing.T) {
	src := []byte("func f(n int) bool { return n > 40 }\n")
	alone := &file{kind: evidence.Code, path: "a.go", src: src, Reading: code.Read("a.go", src)}
	r := &ranking{files: []*file{alone}}
	if n := testing.AllocsPerRun(10, func() {
		if found, err := r.mismatches(t.Context(), nil); err != nil || len(found.Code.Conflicts) > 0 {
			t.Error(found, err)
		}
	}); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

//go:build soak

package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// No tool takes a second, whatever a text is made of.
func TestRepeatedUnitsInTime(t *testing.T) {
	flags := everything(t, 3000)
	c := connect(t, environment(t), flags...)
	warm(c)
	g := gather(c)
	type measured struct {
		tool, unit string
		time       time.Duration
	}
	var all []measured
	for _, tool := range allTools(t) {
		for _, unit := range append([]string{"warm "}, units...) {
			for _, call := range withText(t, tool, repeated(unit, 3000)) {
				began := time.Now()
				var result any
				err := g.call(tool.Name, call, &result)
				if unit != "warm " {
					all = append(all, measured{tool.Name, unit, time.Since(began)})
				}
				if code := toolset.AsError(err); err != nil && (code.Code == toolset.Internal || code.Code == toolset.BackendError) {
					t.Errorf("%s of %q: %v", tool.Name, unit, err)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b measured) int { return cmp.Compare(b.time, a.time) })
	for i, x := range all {
		if x.time > time.Second {
			t.Errorf("%s of %q took %v", x.tool, x.unit, x.time)
		} else if i < 10 {
			t.Logf("%s of %q took %v", x.tool, x.unit, x.time)
		}
	}
	t.Logf("%d calls", len(all))
}

// everything adds files of units repeated to length characters to those of every product.
func everything(t *testing.T, length int) (flags []string) {
	t.Helper()
	root, logic, flags := everyProduct(t)
	var records []string
	for i, unit := range units {
		text := repeated(unit, length)
		record, err := json.Marshal(map[string]any{"pub_id": fmt.Sprintf("JP2020-9%05dA", i), "title": strings.ToValidUTF8(text[:60], ""), "abst": text, "claim": text})
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, string(record))
		text = "# " + strings.ToValidUTF8(text[:60], "") + "\n\n" + text
		for _, folder := range []string{filepath.Join(root, "manuals", "units"), filepath.Join(root, "vault", "units"), filepath.Join(logic, "docs")} {
			putFile(t, folder, fmt.Sprintf("unit-%02d.md", i), text)
		}
	}
	putFile(t, root, "publications/units.jsonl", strings.Join(records, "\n"))
	return flags
}

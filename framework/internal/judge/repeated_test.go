package judge

import (
	"runtime"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// What a judgement allocates grows with a text as the text does, whatever unit it repeats. Of what
// stays the same however long a text is, spare bytes are forgiven.
func TestRepeatedUnitsGrowLinearly(t *testing.T) {
	const spare = 64 << 10
	for _, unit := range []string{
		"あ", "ア", "漢", "7", "第1条", "E-1042 ", "5円", "30日 ", "返品の期限は", "保証以外", "except x ", "not a ", "if ",
		`"`, `"a" `, "「", "「あ」", "(", "()", "（", "[", "[a](b)", "{", "<b>", "-", "-a ", "*", "a AND ", "OR ", "NOT ", `*N30"a b" `,
		"title:", "(a OR ", "|", "| a ", "\n# a\n", "```", "_", ".", "、", "。", "別表1を参照。", "3 to 5 ", "1,", "\n", " ",
	} {
		bytes := func(length int) uint64 {
			long := strings.Repeat(unit, length/len([]rune(unit))+1)
			in := Input{Query: ask(sdk.IntentUnknown, long, strings.Fields(text.Fold(long))...)}
			in.Query.Terms = in.Query.Terms[:min(len(in.Query.Terms), 4)]
			in.Evidences = []Evidence{one("a.md", "a", long), one("b.md", "b", long)}
			built(in) // fills what is kept
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			built(in)
			runtime.ReadMemStats(&after)
			return after.TotalAlloc - before.TotalAlloc
		}
		if short, long := bytes(1500), bytes(3000); long > 3*short+spare {
			t.Errorf("%q: %d bytes for 1,500 characters, %d for 3,000", unit, short, long)
		}
	}
}

package embedding

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
)

// TestTheBestPieceOfALongSectionCounts hides one sentence about the topic in a long text about others.
func TestTheBestPieceOfALongSectionCounts(t *testing.T) {
	all := sections(60)
	all[3].Body = strings.Repeat(topics[2]+".\n", 12) + topics[1] + ".\n" + strings.Repeat(topics[0]+".\n", 12)
	snap := publish(t, t.TempDir(), 1, all)
	ctx := surroundings(t, t.TempDir())
	rank := func(most int) int {
		s := start(t, fmt.Sprintf(`{"dir":%q,"max_chars":%d}`, words(t), most))
		if err := complete(t, ctx, s, snap); err != nil {
			t.Fatal(err)
		}
		return slices.IndexFunc(find(t, ctx, s, snap, topics[1]).Candidates, func(c sdk.Candidate) bool { return c.Section == 3 })
	}
	if whole, pieces := rank(100_000), rank(120); whole >= 0 || pieces < 0 {
		t.Errorf("as a whole it is number %d, in pieces %d", whole, pieces)
	}
}

func TestPiecesHoldTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.StringMatching(`([a-z。あ保 ]{0,30}[\n.])*`).Draw(t, "body")
		most := rapid.IntRange(10, 60).Draw(t, "most")
		var joined strings.Builder
		for rest, piece := strings.TrimSpace(body), ""; ; {
			piece, rest = cut(rest, most)
			if utf8.RuneCountInString(piece) > most || !utf8.ValidString(piece) {
				t.Fatalf("a piece of %d characters: %q", utf8.RuneCountInString(piece), piece)
			}
			joined.WriteString(piece)
			if rest == "" {
				break
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(joined.String()) != squeeze(body) {
			t.Fatalf("%q became %q", body, joined.String())
		}
	})
}

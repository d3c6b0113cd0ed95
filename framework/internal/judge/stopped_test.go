package judge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
)

// built judges without an end.
func built(in Input) *Graph {
	g, err := Build(context.Background(), in)
	if err != nil {
		panic(err) // nothing ends it
	}
	return g
}

// countdown is a context that ends when it has been asked so many times whether it has.
type countdown struct {
	context.Context
	left, asked int
}

func (c *countdown) Err() error {
	if c.asked++; c.asked > c.left {
		return context.Canceled
	}
	return nil
}

// contestedInput has claims, conflicts and gaps, and things that are looked for where a text is
// not read.
func contestedInput(terms int) Input {
	in := Input{Query: ask(sdk.IntentUnknown, "別表9 返品の期限は何日ですか", "返品", "期限")}
	for i := range terms {
		in.Query.Terms = append(in.Query.Terms, sdk.Term{Text: strings.Repeat(string(rune('a'+i)), 7)})
	}
	for i := range 20 {
		text := fmt.Sprintf("返品の期限は%d日です。返品の手数料は別表1を参照してください。返品はできません。返品はできます。", 10+i)
		in.Evidences = append(in.Evidences, one(fmt.Sprintf("%02d.md", i), "返品", text))
	}
	return in
}

// A judgement asks before each piece of work whether it is still wanted, and ends where it is not.
func TestAJudgementEndsWithItsContext(t *testing.T) {
	in := contestedInput(1)
	whole := &countdown{Context: t.Context(), left: 1 << 30}
	g, err := Build(whole, in)
	if err != nil || len(g.Claims) == 0 || len(g.Conflicts) == 0 || len(g.Gaps) == 0 {
		t.Fatalf("%+v, %v", g, err)
	}
	want := empty()
	for i := range in.Evidences {
		want.Top = append(want.Top, i)
	}
	want.Evidences = g.Evidences
	for left := 0; left < whole.asked; left += 7 {
		ctx := &countdown{Context: t.Context(), left: left}
		in.Normalized = func(int) string {
			if ctx.asked > left {
				t.Errorf("a text is read when %d steps were allowed and done", left)
			}
			return ""
		}
		g, err := Build(ctx, in)
		if !errors.Is(err, context.Canceled) || ctx.asked != left+1 {
			t.Fatalf("after %d steps: %v, asked %d times", left, err, ctx.asked)
		}
		if diff := cmp.Diff(want, g); diff != "" {
			t.Fatalf("after %d steps:\n%s", left, diff)
		}
	}
}

// Terms are looked for in every text: as many more of them, as many more questions.
func TestAJudgementAsksForEveryTermAndText(t *testing.T) {
	asked := func(terms int) int {
		ctx := &countdown{Context: t.Context(), left: 1 << 30}
		if _, err := Build(ctx, contestedInput(terms)); err != nil {
			t.Fatal(err)
		}
		return ctx.asked
	}
	if few, many := asked(10), asked(20); many-few < 10*20 {
		t.Errorf("asked %d times for 10 terms, %d times for 20", few, many)
	}
}

package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A memory does not change a judgement: neither for sections in another order, which decides what is read of too many
// units, nor for another query or other words.
func TestAMemoryChangesNothing(t *testing.T) {
	var sections []string
	for i := range mostSections + 2 {
		var body strings.Builder
		for j := range 60 {
			fmt.Fprintf(&body, "| plan %d | refund in %d days |\n", i, (i+2)*j)
		}
		first := fmt.Sprintf("The refund takes %d weeks, the plan %d hours.", i, i*i)
		sections = append(sections, "Refund | "+first+"\n\n"+body.String())
	}
	shared := new(Memory)
	judged := func(query string, memory *Memory, turned, others bool) (likely []float64, out *Judgement) {
		in := input(query, sections...)
		in.Memory = memory
		for i := range in.Evidences {
			in.Evidences[i].TextLine += 100 * i
		}
		if turned {
			slices.Reverse(in.Evidences)
		}
		for word, weight := range in.Words {
			if others {
				in.Words[word] = 10 - weight
			}
		}
		likely, err := Likely(t.Context(), in)
		if err == nil {
			out, err = Judge(t.Context(), in)
		}
		if err != nil {
			t.Fatal(err)
		}
		return likely, out
	}
	queries := []string{
		"how long is the refund", "who is the refund long", "refund of the fee", "how many hours has plan 9",
	}
	for _, query := range queries {
		for _, others := range []bool{false, true, false} {
			for _, turned := range []bool{false, true} {
				wantLikely, want := judged(query, nil, turned, others)
				likely, got := judged(query, shared, turned, others)
				if diff := cmp.Diff(want, got) + cmp.Diff(wantLikely, likely); diff != "" {
					t.Errorf("%q, turned %v, other words %v: %s", query, turned, others, diff)
				}
			}
		}
	}
}

func TestAMemoryReadsAPlaceOnce(t *testing.T) {
	in := input("refund of the fee", "Fees | The refund of the fee takes 3 days.")
	in.Memory = new(Memory)
	if _, err := Likely(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	for at, s := range in.Memory.sections {
		s.units[0].text = "as it was read"
		in.Memory.sections[at] = s
	}
	if out, err := Judge(t.Context(), in); err != nil || out.Best.Text != "as it was read" {
		t.Errorf("%+v, %v", out, err)
	}
	in.Evidences[0].TextLine = 40 // the same text at another line
	if out, err := Judge(t.Context(), in); err != nil || out.Best.Text == "as it was read" || out.Best.Line != 40 {
		t.Errorf("%+v, %v", out, err)
	}
}

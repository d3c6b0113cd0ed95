package spec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
)

const sample = `# Returns

The shop MUST answer mails.

## ADDED Requirements

### Requirement: Refund window
The system SHALL refund an order within 30 days.
It MUST NOT refund twice; the clerk
should explain why.

#### Scenario: In time
- **WHEN** an order is 30 days old
- **THEN** the money SHALL be returned

` + "```" + `
this MUST not count
` + "```" + `

### Requirement: 承認
10万円以上の返金は承認しなければならない。承認なしに返金してはならない。ログは残してもよい。

## REMOVED Requirements

### Requirement: Vouchers
The system SHALL print vouchers.

## Requirements
### 要件：通知
通知は` + "`MUST`" + `ではなく、送信すべきではない。
`

func show(units []spec.Unit) string {
	out := strings.Builder{}
	for _, u := range units {
		fmt.Fprintf(&out, "%d-%d %q obliges=%t\n", u.First, u.Last, u.Name, u.Obliges)
		for _, s := range u.Sentences {
			if slices.Contains(u.Binding, s.Line) {
				fmt.Fprintf(&out, "  %d %s\n", s.Line, s.Text)
			}
		}
	}
	return out.String()
}

func TestCut(t *testing.T) {
	want := `1-4 "Returns" obliges=true
  3 The shop MUST answer mails.
7-19 "Refund window" obliges=true
  8 The system SHALL refund an order within 30 days.
  9 It MUST NOT refund twice; the clerk should explain why.
  14 **THEN** the money SHALL be returned
20-22 "承認" obliges=true
  21 10万円以上の返金は承認しなければならない。
  21 承認なしに返金してはならない。
  21 ログは残してもよい。
25-27 "Vouchers" obliges=false
  26 The system SHALL print vouchers.
29-30 "通知" obliges=true
  30 通知は` + "`MUST`" + `ではなく、送信すべきではない。
`
	if diff := cmp.Diff(want, show(spec.Cut("spec.md", []byte(sample)))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestBindingSentences(t *testing.T) {
	tests := []struct {
		sentence string
		binds    bool
	}{
		{"It shall be so.", true},
		{"It MUST NEVER be so.", true},
		{"It cannot exceed 5.", true},
		{"Use is NOT RECOMMENDED.", true},
		{"A reason SHOULD be given.", true},
		{"The field is OPTIONAL.", true},
		{"It may rain.", false},
		{"In May it rains.", false},
		{"期限を過ぎた注文は取り消さなければなりません。", true},
		{"削除してはいけない。", true},
		{"上書きを禁止する。", true},
		{"理由を入力する必要がある。", true},
		{"理由は必須とする。", true},
		{"5回以内とすること。", true},
		{"短くするべきである。", true},
		{"省略してもよい。", true},
		{"これは説明である。", false},
		{"| limit | MUST be 5 |", true},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			got, want := []int(nil), []int(nil)
			if tt.binds {
				want = []int{1}
			}
			for _, u := range spec.Cut("a.md", []byte(tt.sentence+"\n")) {
				got = append(got, u.Binding...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("lines %v bind, want %v", got, want)
			}
		})
	}
}

// OpenSpec's placeholder for a purpose says nothing.
func TestPlaceholdersSayNothing(t *testing.T) {
	src := "## Purpose\nTBD - created by archiving change a. It MUST be written.\n\nCarts are kept.\n"
	for _, u := range spec.Cut("a.md", []byte(src)) {
		for _, s := range u.Sentences {
			if !s.Heading && s.Text != "Carts are kept." {
				t.Errorf("%+v", s)
			}
		}
	}
}

// Only a whole word begins a step.
func TestSteps(t *testing.T) {
	for word, want := range map[string]spec.Step{
		"**WHEN**": spec.When, "_Given_": spec.When, "whenever": spec.When, "もし": spec.When, "THEN": spec.Then,
		"AND": spec.When, "かつ": spec.When, "Android": spec.NoStep, "Buttons": spec.NoStep, "Thenceforth": spec.NoStep, "Iffy": spec.NoStep,
	} {
		units := spec.Cut("a.md", []byte("- WHEN a user signs in\n- "+word+" x\n"))
		if items := units[0].Items; items[1].Step != want {
			t.Errorf("%s: %q, want %q", word, items[1].Step, want)
		}
	}
}

func FuzzCut(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("### Requirement:\n#### Scenario:\n~~~\nMUST"))
	f.Fuzz(func(t *testing.T, src []byte) {
		last := strings.Count(strings.ReplaceAll(string(src), "\r", "\n"), "\n") + 1
		before := 0
		for _, u := range spec.Cut("a.md", src) {
			if u.First <= before || u.Last < u.First || u.Last > last {
				t.Fatalf("lines %d-%d behind %d of %d", u.First, u.Last, before, last)
			}
			before = u.Last
			for _, line := range u.Binding {
				if line < u.First || line > u.Last {
					t.Fatalf("a sentence binds on line %d of %d-%d", line, u.First, u.Last)
				}
			}
		}
	})
}

// A file with other line breaks has the same units.
func TestLineBreaks(t *testing.T) {
	want := spec.Cut("a.md", []byte(sample))
	for _, end := range []string{"\r\n", "\r"} {
		got := spec.Cut("a.md", []byte(strings.ReplaceAll(sample, "\n", end)))
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(spec.Item{})); diff != "" {
			t.Errorf("%q: -want +got\n%s", end, diff)
		}
	}
}

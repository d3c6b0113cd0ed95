package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		fmt.Fprintf(&out, "%d-%d %q %q obliges=%t\n", u.First, u.Last, u.Name, u.Change, u.Obliges())
		for _, s := range u.Statements {
			fmt.Fprintf(&out, "  %d %s negated=%t %s\n", s.Line, s.Strength, s.Negated, s.Text)
		}
	}
	return out.String()
}

func TestCut(t *testing.T) {
	want := `1-4 "Returns" "" obliges=true
  3 must negated=false The shop MUST answer mails.
7-19 "Refund window" "added" obliges=true
  8 must negated=false The system SHALL refund an order within 30 days.
  9 must negated=true It MUST NOT refund twice; the clerk should explain why.
  14 must negated=false **THEN** the money SHALL be returned
20-22 "承認" "added" obliges=true
  21 must negated=false 10万円以上の返金は承認しなければならない。
  21 must negated=true 承認なしに返金してはならない。
  21 may negated=false ログは残してもよい。
25-27 "Vouchers" "removed" obliges=false
  26 must negated=false The system SHALL print vouchers.
29-30 "通知" "" obliges=true
  30 should negated=true 通知は` + "`MUST`" + `ではなく、送信すべきではない。
`
	if diff := cmp.Diff(want, show(spec.Cut("spec.md", []byte(sample)))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestStatements(t *testing.T) {
	tests := []struct {
		sentence string
		strength spec.Strength
		negated  bool
	}{
		{"It shall be so.", spec.Must, false},
		{"It MUST NEVER be so.", spec.Must, true},
		{"It cannot exceed 5.", spec.Must, true},
		{"Use is NOT RECOMMENDED.", spec.Should, true},
		{"A reason SHOULD be given.", spec.Should, false},
		{"The field is OPTIONAL.", spec.May, false},
		{"It may rain.", "", false},
		{"In May it rains.", "", false},
		{"期限を過ぎた注文は取り消さなければなりません。", spec.Must, false},
		{"削除してはいけない。", spec.Must, true},
		{"上書きを禁止する。", spec.Must, true},
		{"理由を入力する必要がある。", spec.Must, false},
		{"理由は必須とする。", spec.Must, false},
		{"5回以内とすること。", spec.Must, false},
		{"短くするべきである。", spec.Should, false},
		{"省略してもよい。", spec.May, false},
		{"これは説明である。", "", false},
		{"| limit | MUST be 5 |", spec.Must, false},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			got := []spec.Statement{}
			for _, u := range spec.Cut("a.md", []byte(tt.sentence+"\n")) {
				got = append(got, u.Statements...)
			}
			switch {
			case tt.strength == "" && len(got) == 0:
			case len(got) != 1 || got[0].Strength != tt.strength || got[0].Negated != tt.negated || got[0].Line != 1:
				t.Errorf("%+v, want %s negated=%t", got, tt.strength, tt.negated)
			}
		})
	}
}

// What OpenSpec writes in place of a purpose says nothing.
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
			for _, s := range u.Statements {
				if s.Line < u.First || s.Line > u.Last {
					t.Fatalf("statement on line %d of %d-%d", s.Line, u.First, u.Last)
				}
			}
		}
	})
}

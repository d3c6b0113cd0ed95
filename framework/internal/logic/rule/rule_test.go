package rule

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
)

func TestAmountsOfProse(t *testing.T) {
	tests := []struct{ prose, want string }{
		{"at most 20 MB", "2.097152e+07 bytes <="}, {"after 5 attempts", "5 count "}, {"within three days", "259200 time <="},
		{"more than 1,000,000 yen", "1e+06 money >"}, {"no more than 3 items", "3 count <="}, {"5 or more", "5  >="},
		{"must not exceed 40 characters", "40 text >"}, {"twice", "2 count "}, {"3 percent", "0.03 ratio "}, {"under 10%", "0.1 ratio <"},
		{"5,000円以上", "5000 money >="}, {"10万円を超える", "100000 money >"}, {"７日未満", "604800 time <"}, {"24時間以内", "86400 time <="},
		{"三件まで", "3 count <="}, {"60日先まで", "5.184e+06 time <="}, {"1日につき10円", "10 money "}, {"one of the users", ""}, {"version v2", ""},
		{"12 km", "12000 length "}, {"2024年", ""}, {"2年間", "6.3072e+07 time "}, {"100ユーロ以下", "100 eur <="},
	}
	for _, tt := range tests {
		t.Run(tt.prose, func(t *testing.T) {
			prose, got := foldProse(tt.prose), ""
			for _, q := range amounts(prose) {
				op, _, _ := boundOf(prose, q)
				got += fmt.Sprintf("%g %s %s", q.Value, q.Dim, op)
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestAmountsOfCode(t *testing.T) {
	tests := []struct {
		name, expression string
		value            float64
		dim              string
	}{
		{"MAX_BYTES", "20 * 1024 * 1024", 20 << 20, "bytes"}, {"lockMinutes", "15", 900, "time"}, {"ttl", "14 * 24 * time.Hour", 1209600, "time"},
		{"LOCK_MS", "30 * 60 * 1000", 1800, "time"}, {"TAX_RATE", `Decimal("0.10")`, .1, "ratio"}, {"ttl", "timedelta(days=30)", 2592000, "time"},
		{"limit", "300_000", 300000, ""}, {"maxAttempts", "5;", 5, "count"}, {"MAX_NAME_LENGTH", "50", 50, "text"}, {"rows.length", "9", 9, "count"}, {"timeout", "30s", 30, "time"},
	}
	for _, tt := range tests {
		got, ok := evaluate(tt.name, tt.expression)
		if !ok || !near(got.Value, tt.value) || got.Dim != tt.dim {
			t.Errorf("%s = %s: %+v, %t", tt.name, tt.expression, got, ok)
		}
	}
	for _, expression := range []string{"", "a + b", "newLimit()", "5 / 2", `"text"`, "*"} {
		if got, ok := evaluate("x", expression); ok {
			t.Errorf("%q is %+v", expression, got)
		}
	}
}

func TestWordsMeetInBothLanguages(t *testing.T) {
	tests := []struct {
		a, b   string
		shared int
	}{
		{"キャンセルの期限", "CANCEL_WINDOW_HOURS", 2}, {"在庫が不足", "stock is insufficient", 2}, {"mapStatusFromWarningCount", "警告の件数と状態", 2},
		{"refundedOrders", "refund an order", 2}, {"the system shall", "MUST be", 0},
	}
	for _, tt := range tests {
		if got := shared(Read(tt.a), Read(tt.b)); len(got) != tt.shared {
			t.Errorf("%s and %s share %v", tt.a, tt.b, got)
		}
	}
}

// conflictsOf compares a program with one requirement.
func conflictsOf(name, program, requirement string) []Difference {
	cut := code.Cut(name, []byte(program))
	wants := []Source{}
	for _, u := range spec.Cut("openspec/specs/shop/spec.md", []byte("### Requirement: 対象\n"+requirement+"\n")) {
		wants = append(wants, Spec("openspec/specs/shop/spec.md", u))
	}
	found := []Difference{}
	for _, c := range Conflicts(context.Background(), Code(context.Background(), name, []byte(program), cut, Constants{}), wants) {
		found = append(found, c.What)
	}
	return slices.Compact(found)
}

func TestConflicts(t *testing.T) {
	const size = "export function checkUpload(upload: Upload) {\n  if (upload.megabytes %s 20) {\n    throw new HttpError(%s, 'upload is too large');\n  }\n}\n"
	tests := []struct {
		name, program, requirement string
		want                       Difference
	}{
		{"a.ts", fmt.Sprintf(size, ">", "413"), "An upload MUST NOT exceed 20 MB.", ""},
		{"a.ts", fmt.Sprintf(size, ">", "413"), "An upload MUST NOT exceed 30 MB.", "number"},
		{"a.ts", fmt.Sprintf(size, ">=", "413"), "An upload MUST NOT exceed 20 MB.", Boundary},
		{"a.ts", fmt.Sprintf(size, "<=", "413"), "An upload MUST NOT exceed 20 MB.", Direction},
		{"a.ts", fmt.Sprintf(size, ">", "413"), "An upload SHALL be less than 20 MB.", Boundary},
		{"a.ts", fmt.Sprintf(size, ">", "413"), "アップロードは20MB以下でなければならない。", ""},
		{"a.ts", fmt.Sprintf(size, ">", "413"), "アップロードは20MB未満でなければならない。", Boundary},
		{"a.ts", fmt.Sprintf(size, ">", "413"), "An upload that is too large SHALL be answered with 413.", ""},
		{"a.ts", fmt.Sprintf(size, ">", "400"), "An upload that is too large SHALL be answered with 413.", "status"},
		{"a.py", "def ship(order):\n    order.status = \"sent\"\n", "The status of a shipped order SHALL be `shipped`.", "state"},
		{"a.py", "def ship(order):\n    order.status = \"shipped\"\n", "The status of a shipped order SHALL be `shipped`.", ""},
		{"a.py", "KINDS_OF_SHIPPING = [\"sea\", \"air\"]\n", "The kind of shipping SHALL be one of `sea` and `road`.", "members"},
		{"a.py", "KINDS_OF_SHIPPING = [\"road\", \"sea\"]\n", "The kind of shipping SHALL be one of `sea` and `road`.", ""},
		{"a.py", "KINDS_OF_SHIPPING = [\"air\", \"post\"]\n", "The kind of payment SHALL be one of `sea` and `road`.", ""},
		{"a.go", "package a\n\nconst maxAttempts = 3\n\nfunc ShouldRetry(j Job) bool {\n\treturn j.Attempts < maxAttempts\n}\n", "A failed job SHALL be attempted at most 3 times.", ""},
		{"a.go", "package a\n\nfunc Sort(p *Parcel) {\n\tif p.Kind == \"glass\" {\n\t\tp.Lane = \"slow\"\n\t}\n}\n", "Parcels of glass SHALL get the lane `careful`.", "state"},
		{"a.go", "package a\n\nfunc Sort(p *Parcel) {\n\tif p.Kind == \"glass\" {\n\t\tp.Lane = \"slow\"\n\t}\n}\n", "Parcels of glass SHALL get the label `careful`.", ""},
		{"a.py", "def take_out(boat):\n    \"\"\"Rents a boat to a guest.\"\"\"\n    boat.status = \"out\"\n", "The status of a rented boat SHALL be `rented`.", "state"},
		{"a.ts", "function load(van: Van) {\n  if (van.boxes > 9) {\n    throw new HttpError(400, 'too many boxes');\n  }\n  if (van.boxes < 2) {\n    throw new HttpError(422, 'too few boxes');\n  }\n}\n", "A van with less than 2 boxes SHALL be answered with 422.", ""},
		{"a.py", "BOUNCE_LIMIT = 5\n", "バウンスは3回までとしなければならない。", "number"},
		{"a.py", "BOUNCE_LIMIT = 3\n", "バウンスは3回までとしなければならない。", ""},
		{"a.py", "PASS_VALID_DAYS = 21\n", "A pass SHALL expire after 14 days.", "number"},
		{"a.py", "def check(letter):\n    if letter.stamp_mb >= 4:\n        raise TooBig()\n", "A stamp SHALL have at most 4 MB.", Boundary},
		{"a.py", "def rent(person, van):\n    if person.balance < 90:\n        raise NoDeposit()\n    lend(van)\n", "A person SHALL have a balance of at least 90.", ""},
		{"a.py", "def remind(key, today):\n    if key.ends <= today:\n        return 'expired'\n    if key.left <= 14:\n        warn_owner(key)\n", "The owner of a key SHALL be warned 14 days before the key ends.", ""},
		{"a.py", "PAPER_DAYS = 365\n", "A paper SHALL last at least 30 days.", ""},
		{"a.py", "PAPER_DAYS = 20\n", "A paper SHALL last at least 30 days.", "number"},
		{"a.ts", "const MAX_ROW_COUNT = 200;\n", "The default row count SHALL be 20.", ""},
		{"a.ts", "const DEFAULT_ROW_COUNT = 200;\n", "The default row count SHALL be 20.", "number"},
		{"a.ts", "const MIN_ROW_COUNT = 2;\n", "The row count MUST NOT exceed 20.", ""},
		{"a.go", "package a\n\nvar allowGuestOrders = true\n", "Guest orders MUST NOT be allowed.", "polarity"},
		{"a.go", "package a\n\nvar allowGuestOrders = false\n", "Guest orders MUST NOT be allowed.", ""},
		{"a.go", "package a\n\ntype Order struct {\n\tNote string `validate:\"required\"`\n}\n", "The `note` of an order is OPTIONAL.", "presence"},
		{"a.go", "package a\n\ntype Order struct {\n\tNote *string `json:\"note\"`\n}\n", "The `note` of an order is OPTIONAL.", ""},
		{"a.go", "package a\n\nfunc order() {\n\tcharge()\n\treserveStock()\n}\n", "For an order the stock SHALL be reserved before it is charged.", "order"},
		{"a.go", "package a\n\nfunc order() {\n\treserveStock()\n\tcharge()\n}\n", "For an order the stock SHALL be reserved before it is charged.", ""},
	}
	for _, tt := range tests {
		want := []Difference{}
		if tt.want != "" {
			want = append(want, tt.want)
		}
		if diff := cmp.Diff(want, conflictsOf(tt.name, tt.program, tt.requirement)); diff != "" {
			t.Errorf("%s\n%s\n-want +got\n%s", tt.program, tt.requirement, diff)
		}
	}
}

// What a bound says of a count depends on whether one more comes before it or behind.
func TestBoundsOfWhatGrows(t *testing.T) {
	const lines = "def join(team, person):\n%s    if len(team.players) %s 9:\n        raise TooManyPlayers()\n%s"
	const more = "    team.players.append(person)\n"
	const refused, allowed = "A team MUST NOT have more than 9 players.", "A team SHALL have at most 9 players."
	tests := []struct {
		before, op, behind string
		want               []Difference
	}{
		{"", ">=", more, []Difference{}}, {"", ">=", "", []Difference{}}, {"", ">", "", []Difference{}},
		{"", ">", more, []Difference{Boundary}}, {more, ">=", "", []Difference{Boundary}}, {more, ">", "", []Difference{}},
	}
	for _, tt := range tests {
		for _, requirement := range []string{refused, allowed} {
			if diff := cmp.Diff(tt.want, conflictsOf("a.py", fmt.Sprintf(lines, tt.before, tt.op, tt.behind), requirement)); diff != "" {
				t.Errorf("%+v, %s\n-want +got\n%s", tt, requirement, diff)
			}
		}
	}
}

func TestWhatIsRemovedObligesNobody(t *testing.T) {
	for _, u := range spec.Cut("a.md", []byte("## REMOVED Requirements\n### Requirement: Size\nAn upload MUST NOT exceed 30 MB.\n")) {
		if s := Spec("a.md", u); len(s.Rules) > 0 {
			t.Errorf("%+v", s.Rules)
		}
	}
}

// Whatever two files hold, they are compared without a crash, the same in every
// run, and what is found lies in them.
func FuzzConflicts(f *testing.F) {
	f.Add("a.ts", "export const MAX = 5;\nif (a > MAX) {\n throw new E(400, 'x') }", "### Requirement: A\nA MUST be at most 4.\n")
	f.Add("a.py", "class A(B):\n  x: Optional[int] = None\n  y = 'a'\n  z = 'b'\n", "x MUST be given, one of `a` or `c`.")
	f.Add("a.go", "package a\nfunc f() error {\n\tif !ok { return errX }\n}", "仮予約は15分以内とし、409を返さなければならない。")
	f.Fuzz(func(t *testing.T, name, program, text string) {
		cut := code.Cut(name, []byte(program))
		wants := []Source{}
		for _, u := range spec.Cut("a.md", []byte(text)) {
			wants = append(wants, Spec("a.md", u))
		}
		has := Code(t.Context(), name, []byte(program), cut, Constants{})
		found := Conflicts(t.Context(), has, wants)
		if diff := cmp.Diff(found, Conflicts(t.Context(), has, wants)); diff != "" {
			t.Fatal(diff)
		}
		for _, c := range found {
			if c.Has.Line < 1 || c.Wants.Line < 1 || c.What == "" {
				t.Fatalf("%+v", c)
			}
		}
	})
}

// A number without a unit contradicts none with one, unless it stands for money.
func TestComparableAmounts(t *testing.T) {
	tests := []struct {
		name, expression, prose string
		comparable              bool
	}{
		{"maxSessions", "5", "30 minutes", false}, {"MAX_ITEMS", "5", "7 items", true}, {"MAX_KEYS", "5", "32 characters", false}, {"NAME_LENGTH", "5", "32 characters", true}, {"maxItems", "5", "7", true},
		{"order.total", "5000", "3,000円", true}, {"order.total", "5000", "20 items", false}, {"lockSeconds", "30", "2 minutes", true},
		{"lockSeconds", "30", "10 MB", false}, {"timeout", "1800", "30 minutes", true}, {"priceUSD", "5", "5 yen", false},
		{"discount", "0.15", "20 percent", true}, {"attempts", "3", "20 percent", false},
	}
	for _, tt := range tests {
		q, ok := evaluate(tt.name, tt.expression)
		if prose := amounts(foldProse(tt.prose)); !ok || len(prose) != 1 || q.comparable(prose[0].Quantity) != tt.comparable {
			t.Errorf("%s = %s against %s: %+v, %+v", tt.name, tt.expression, tt.prose, q, prose)
		}
	}
}

func TestQuantitiesAsPeopleReadThem(t *testing.T) {
	tests := []struct{ name, expression, want string }{
		{"MAX_BYTES", "25 * 1024 * 1024", "25 MB"}, {"idle", "90 * time.Minute", "90 minutes"}, {"LOCK_MS", "30 * 60 * 1000", "30 minutes"},
		{"TAX_RATE", "0.025", "2.5 %"}, {"LIMIT_YEN", "5_000", "5000 yen"}, {"maxAttempts", "5", "5"}, {"width_px", "640", "640 px"},
		{"pause", "250ms", "250 ms"}, {"idle", "60 * time.Minute", "1 hour"}, {"gap", "1ms", "1 ms"}, {"total", "3000", "3000"}, {"DAYS_LEFT", "2", "2 days"}, {"LOAD_BYTES", "1500", "1500 bytes"},
	}
	for _, tt := range tests {
		if q, ok := evaluate(tt.name, tt.expression); !ok || q.String() != tt.want {
			t.Errorf("%s = %s: %q, want %q", tt.name, tt.expression, q, tt.want)
		}
	}
}

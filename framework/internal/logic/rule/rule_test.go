package rule

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/framework/internal/quantity"
)

// numberIn returns the only number on a line of code.
func numberIn(t *testing.T, line string) *quantity.Amount {
	t.Helper()
	all := numbers(line)
	if len(all) != 1 {
		t.Fatalf("%s: %d numbers", line, len(all))
	}
	return &all[0].Amount
}

func TestAmountsOfCode(t *testing.T) {
	tests := []struct {
		line  string
		value float64
		dim   string
	}{
		{"MAX_BYTES = 20 * 1024 * 1024", 20 << 20, "bytes"}, {"lockMinutes = 15", 900, "time"},
		{"ttl = 14 * 24 * time.Hour", 1209600, "time"}, {"LOCK_MS = 30 * 60 * 1000", 1800, "time"},
		{`TAX_RATE = Decimal("0.10")`, .1, "percent"}, {"ttl = timedelta(days=30)", 2592000, "time"},
		{"limit = 300_000", 300000, ""}, {"maxAttempts = 5;", 5, ""}, {`timeout = "30s"`, 30, "time"},
	}
	for _, tt := range tests {
		if got := numberIn(t, tt.line); !near(got.Value, tt.value) || got.Dimension != tt.dim {
			t.Errorf("%s: %+v", tt.line, got)
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
		if got := sharedBy(Read(tt.a), Read(tt.b)); got != tt.shared {
			t.Errorf("%s and %s share %d", tt.a, tt.b, got)
		}
	}
}

func sharedBy(a, b Words) (n int) {
	for idea := range a {
		if b[idea] {
			n++
		}
	}
	return n
}

// valuesOf formats the values of rules.
func valuesOf(rules []Rule) string {
	all := []string{}
	for _, r := range rules {
		all = append(all, strings.TrimSpace(string(r.role)+" "+r.Amount.String()))
	}
	return strings.Join(all, ", ")
}

func TestValuesOfCode(t *testing.T) {
	tests := []struct{ line, want string }{
		{"const MAX_FILE_SIZE = 10 * 1024 * 1024;", "most 10 MB"},
		{"expires_at=timezone.now() + timedelta(hours=24)", "1 day"},
		{"DEFAULT_CLEANUP_INTERVAL = 10.minutes.to_i", "standard 10 minutes"},
		{"ttl: '15m',", "15 minutes"},
		{"public long MaxBytes { get; set; } = 15 * 1024 * 1024;", "most 15 MB"},
		{".timeout(Duration::from_secs(30))", "30 seconds"},
		{"ExpiresAt = now.AddDays(7),", "7 days"},
		{"rest = hours * 60 * 60", ""}, {"size / (1024 * 1024)", ""}, {"hours.max(1) * n", ""},
		{`throw new NotFoundException("no such thing in 3 places");`, ""},
		{"raise HTTPException(status_code=410)", ""},
		{"import { a } from 'b2';", ""},
		{`<p className="h-4">Up to 5 files</p>`, ""},
		{"res.status(201).json(user)", ""}, {`VERSION = "1.5.0"`, ""}, {"x = timeout + 10", ""},
	}
	for _, tt := range tests {
		if got := valuesOf(numbers(tt.line)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.line, got, tt.want)
		}
	}
}

func TestValuesOfSpecifications(t *testing.T) {
	tests := []struct{ text, want string }{
		{"A file SHALL have at most 10 MB, and at least 50 KB.", "most 10 MB, least 50 KB"},
		{"- **THEN** HTTP 404 is returned", ""},
		{"- **THEN** HTTP 201 is returned", ""},
		{"- **WHEN** a household has 3 assets", ""},
		{"- **WHEN** a household has more than 3 assets", ""},
		{"- **FR-003**: see step 2 of v1.2.3, and a7", ""},
		{"7 時間 45 分で警告しなければならない。", "465 minutes"},
		{"登録が重複するときは409を返す。", ""},
		{"Members with 10,000 points or more MUST be gold.", "10000"},
		{"Members with 10,000 points are gold.", ""},
		{`The page shows "350 files".`, ""},
		{"- **WHEN** more than 700 files are given\n- **THEN** the first 50 of 700 files are kept", "50"},
		{"- WHEN a household has more than 3 assets THEN it SHALL be told", "most 3"},
		{"| 3 | `retries` | defaults to 5 |", "standard 5"},
		{"- **THEN** it answers with 4xx", ""},
	}
	for _, tt := range tests {
		all := []Rule{}
		for _, u := range spec.Cut("a/spec.md", []byte("### Requirement: R\n"+tt.text+"\n")) {
			all = append(all, Spec("a/spec.md", u)...)
		}
		if got := valuesOf(all); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// wantedIn returns the values of a requirement.
func wantedIn(path, requirement string) (wants []Rule) {
	for _, u := range spec.Cut(path, []byte("### Requirement: Shop\n"+requirement+"\n")) {
		wants = append(wants, Spec(path, u)...)
	}
	return wants
}

func valuesIn(name, program string) []Rule {
	return Code(name, []byte(program), code.Read(name, []byte(program)))
}

func linesOf(conflicts []Conflict) string {
	all := []string{}
	for _, c := range conflicts {
		all = append(all, fmt.Sprint(c.What, ":", c.Has.Line))
	}
	return strings.Join(all, " ")
}

func TestSettings(t *testing.T) {
	tests := []struct{ name, program, requirement, want string }{
		{"a.rb", "DEFAULT_KEEP_JOBS = true\n", "- `keep_jobs` (boolean) keeps them. Defaults to `false`.", "flag:1"},
		{"a.rb", "DEFAULT_KEEP_JOBS = true\n", "- `keep_jobs` (boolean) keeps them. Defaults to `true`.", ""},
		{"a.rb", "DEFAULT_KEEP_JOBS = true\n", "The queue is idle. Defaults to `false`.", ""},
		{"config.ts", "const c = { pollInterval: 5 }\n", "The worker waits for `poll_interval` (default 10).", "number:1"},
		{"config.ts", "const c = { pollInterval: 5 }\nconst d = { pollInterval: 10 }\n", "It waits for `poll_interval` (default 10).", ""},
		{"config.ts", "const c = { pollInterval: 5 }\n", "Unlike `poll_interval`, it is idle. The default 10 is kept.", ""},
		{"a.ts", "const c = { pollInterval: 5 }\n", "The worker waits for `poll_interval` (default 10).", ""}, // no setting
		{"config.ts", "const c = { pollInterval: 5 }\n", "An interval of a poll SHALL be 10.", ""},
		{"config.py", "POLL_MS = 5\n", "The worker waits for `poll_ms` (default 10).", "number:1"},
		{"config.py", "POLL_INTERVAL = '5s'\n", "The worker waits for `poll_interval` (default 10 MB).", ""},
	}
	for _, tt := range tests {
		found := Settings(t.Context(), valuesIn(tt.name, tt.program), wantedIn("a/spec.md", tt.requirement))
		if got := linesOf(found.Conflicts); got != tt.want {
			t.Errorf("%s\n%s\n%q, want %q", tt.program, tt.requirement, got, tt.want)
		}
	}
}

// Lines about a statement contradict it by values with a unit, and by values of names that it mentions.
func TestStatement(t *testing.T) {
	const upload = "if (upload.megabytes > 20) {\n  throw new HttpError(413, 'the upload is too large');\n}\n"
	tests := []struct{ name, program, requirement, want string }{
		{"a.ts", upload, "An upload MUST NOT exceed 20 MB.", ""},
		{"a.ts", upload, "An upload MUST NOT exceed 30 MB.", "number:1"},
		{"a.ts", "const MAX_UPLOAD_MB = 20;\n", "An upload MUST have at least 30 MB.", ""},
		{"a.ts", upload, "An upload MUST take at most 30 minutes.", ""},
		{"a.ts", "if (upload.megabytes === 0) {\n}\n", "An upload MUST NOT exceed 30 MB.", ""},
		{"a.py", "MAX_SIZE = 10 * 1024 * 1024\nMIN_SIZE = 50 * 1024\n", "A file SHALL have at most 5 MB and at least 50 KB.", "number:1"},
		{"a.ts", "if (recentRateLimits >= 3) {\n  alert();\n}\n", "An alert SHALL be sent when the recent rate limit hits exceed 10%.", ""},
		{"a.ts", "const HIT_RATE = 0.3;\n", "The hit rate SHALL be at most 10%.", "number:1"},
		{"a.cs", "options.Lockout.DefaultLockoutTimeSpan = TimeSpan.FromMinutes(15);\n", "An access token SHALL expire in 30 minutes.", ""},
		{"a.cs", "LockoutTime = TimeSpan.FromMinutes(15);\n", "A lockout SHALL last 30 minutes.", "number:1"},
		{"a.py", "BOUNCE_LIMIT = 5\n", "A bounce SHALL be repeated up to 3 times.", "number:1"},
		{"a.py", "BOUNCE_LIMIT = 3\n", "A bounce SHALL be repeated up to 3 times.", ""},
		{"a.py", "LETTER_LIMIT = 5\n", "A bounce SHALL be repeated up to 3 times.", ""},
		{"a.py", "if bounces > 5:\n  pass\n", "A bounce SHALL be repeated up to 3 times.", ""},
		{"a.py", "CANCEL_HOURS = 48\n", "注文のキャンセルは24時間以内とする。", "number:1"},
		{"a.py", "CANCEL_HOURS = 24\n", "注文のキャンセルは24時間以内とする。", ""},
		{"a.ts", "const MAX_ROW_COUNT = 200;\n", "The default row count SHALL be 20.", ""},
		{"a.ts", "const DEFAULT_ROW_COUNT = 200;\n", "The default row count SHALL be 20.", "number:1"},
	}
	for _, tt := range tests {
		found := Statement(valuesIn(tt.name, tt.program), wantedIn("a/spec.md", tt.requirement))
		if got := linesOf(found.Conflicts); got != tt.want {
			t.Errorf("%s\n%s\n%q, want %q", tt.program, tt.requirement, got, tt.want)
		}
	}
}

// Pairs that agree count as compared, and pairs about other things do not.
func TestPairsAreCounted(t *testing.T) {
	has := valuesIn("config.py", "POLL_MS = 5\nIDLE_MS = 7\n")
	for requirement, want := range map[string]int{
		"It waits for `poll_ms` (default 5).": 1, "It waits for `poll_ms` (default 10).": 1, "It waits for `lock_ms` (default 5).": 0,
	} {
		if got := Settings(t.Context(), has, wantedIn("a/spec.md", requirement)).Pairs; got != want {
			t.Errorf("%s: %d pairs, want %d", requirement, got, want)
		}
	}
	for requirement, want := range map[string]int{
		"A poll SHALL take at most 5 ms.": 1, "A poll SHALL take at most 3 files.": 0,
	} {
		if got := Statement(has[:1], wantedIn("a/spec.md", requirement)).Pairs; got != want {
			t.Errorf("%s: %d pairs, want %d", requirement, got, want)
		}
	}
}

// A change contradicts the main requirement of the same name and capability.
func TestRequirements(t *testing.T) {
	tests := []struct{ path, change, main, want string }{
		{"shop/spec.md", "A shop SHALL keep at most 3 carts.", "A shop SHALL keep at most 5 carts.", "number:2"},
		{"shop/spec.md", "A shop SHALL keep at most 5 carts.", "A shop SHALL keep at most 5 carts.", ""},
		{"shop/spec.md", "It opens.\n\nIt SHALL close in 3 days and keep at most 4 carts.", "It SHALL close in 2 days.\n\nIt SHALL keep at most 5 carts.", "number:4 number:4"},
		{"shop/spec.md", "A shop SHALL keep at least 3 carts.", "A shop SHALL keep at most 5 carts.", ""},
		{"shop/spec.md", "A shop SHALL show up to 50 carts per page.", "A shop SHALL expose a list with two views.", ""},
		{"road/spec.md", "A shop SHALL keep at most 3 carts.", "A shop SHALL keep at most 5 carts.", ""},
	}
	for _, tt := range tests {
		found := Requirements(wantedIn("openspec/changes/a/specs/"+tt.path, tt.change), wantedIn("openspec/specs/shop/spec.md", tt.main))
		if got := linesOf(found.Conflicts); got != tt.want {
			t.Errorf("%s\n%s\n%q, want %q", tt.change, tt.main, got, tt.want)
		}
	}
}

func TestWhatIsRemovedObligesNobody(t *testing.T) {
	for _, u := range spec.Cut("a.md", []byte("## REMOVED Requirements\n### Requirement: Size\nAn upload MUST NOT exceed 30 MB.\n")) {
		if rules := Spec("a.md", u); len(rules) > 0 {
			t.Errorf("%+v", rules)
		}
	}
}

func TestTablesOfDataAreNoRules(t *testing.T) {
	row := strings.Repeat("3, ", 5000)
	if rules := Code("a.py", []byte("ROW = ("+row+")\n"), code.Read("a.py", []byte("ROW = ("+row+")\n"))); len(rules) > 0 {
		t.Errorf("%d rules", len(rules))
	}
	for _, u := range spec.Cut("a.md", []byte("### Requirement: R\nIt MUST be "+row+"\n")) {
		if rules := Spec("a.md", u); len(rules) > 0 {
			t.Errorf("%d rules", len(rules))
		}
	}
}

func TestComparisonsEndWithTheirContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := []Rule{{setting: "a", Kind: Flag}}
	if found := Settings(ctx, r, r); found.Pairs > 0 {
		t.Error(found)
	}
}

// Whatever two files contain, comparing them does not crash, gives the same result in every run, and reports lines that
// exist in them.
func FuzzCompared(f *testing.F) {
	f.Add("a.ts", "export const MAX = 5;\nif (a > MAX) {\n throw new E(400, 'x') }", "### Requirement: A\nA MUST be at most 4.\n")
	f.Add("a.py", "class A(B):\n  x: Optional[int] = None\n  y_days = 3\n", "- WHEN y\n- THEN it lasts 5 days")
	f.Add("a.go", "package a\nfunc f() error {\n\tif !ok { return errX }\n}", "仮予約は15分以内とし、409を返さなければならない。")
	f.Fuzz(func(t *testing.T, name, program, text string) {
		wants := []Rule{}
		for _, u := range spec.Cut("a.md", []byte(text)) {
			wants = append(wants, Spec("a.md", u)...)
		}
		has := Code(name, []byte(program), code.Read(name, []byte(program)))
		compared := func() (all Compared) {
			all = Settings(t.Context(), has, wants)
			all.Add(Requirements(has, wants))
			all.Add(Statement(has, wants))
			return all
		}
		found := compared()
		if diff := cmp.Diff(found, compared()); diff != "" || len(found.Conflicts) > found.Pairs {
			t.Fatalf("%d pairs: %s", found.Pairs, diff)
		}
		lines := strings.Count(program, "\n") + 1
		for _, c := range found.Conflicts {
			if c.Has.Line < 1 || c.Has.Line > lines || c.Wants.Line < 1 || c.Wants.Line > strings.Count(text, "\n")+1 || c.What == "" {
				t.Fatalf("%+v", c)
			}
		}
	})
}

// Only amounts that may mean the same are commensurable.
func TestCommensurableAmounts(t *testing.T) {
	tests := []struct {
		line, prose   string
		commensurable bool
	}{
		{"maxSessions = 5", "30 minutes", false}, {"MAX_ITEMS = 5", "7 items", true}, {"NAME_LENGTH = 5", "32 characters", true},
		{"maxItems = 5", "7", true},
		{"lockSeconds = 30", "2 minutes", true}, {"lockSeconds = 30", "10 MB", false}, {"timeout = 1800", "30 minutes", true},
		{"priceUSD = 5", "5 yen", false}, {"discount = 0.15", "20 percent", true}, {"attempts = 3", "20 percent", false},
	}
	for _, tt := range tests {
		q, prose := numberIn(t, tt.line), amounts(tt.prose)
		if len(prose) != 1 || commensurable(q, &prose[0]) != tt.commensurable {
			t.Errorf("%s against %s: %+v, %+v", tt.line, tt.prose, q, prose)
		}
	}
}

func TestQuantitiesAsPeopleReadThem(t *testing.T) {
	tests := []struct{ line, want string }{
		{"MAX_BYTES = 25 * 1024 * 1024", "25 MB"}, {"idle = 90 * time.Minute", "90 minutes"},
		{"LOCK_MS = 30 * 60 * 1000", "30 minutes"}, {"TAX_RATE = 0.025", "2.5 %"}, {"LIMIT_YEN = 5_000", "5000 yen"},
		{"maxAttempts = 5", "5"}, {"width_px = 640", "640 px"}, {"pause = 250ms", "250 ms"},
		{"idle = 60 * time.Minute", "1 hour"}, {"gap = 1ms", "1 ms"}, {"total = 3000", "3000"},
		{"DAYS_LEFT = 2", "2 days"}, {"LOAD_BYTES = 1500", "1500 bytes"},
	}
	for _, tt := range tests {
		if got := numberIn(t, tt.line).String(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.line, got, tt.want)
		}
	}
}

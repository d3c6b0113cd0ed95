package answer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// asking asks about files, given by path. Each line that ends with the mark ¶ is evidence; the mark is cut off.
func asking(t *testing.T, question string, files map[string]string) answer.Answer {
	t.Helper()
	const mark = "¶"
	dir, items := t.TempDir(), []evidence.Evidence{}
	paths := []string{}
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		lines := strings.Split(files[path], "\n")
		for i, line := range lines {
			if found, ok := strings.CutSuffix(line, mark); ok {
				at := evidence.Line(i + 1)
				e := evidence.Evidence{ID: path, Kind: evidence.Code, Path: path, Line: &at, Excerpt: found, Relevance: .9,
					SourcePriority: repo.Code}
				if strings.HasPrefix(path, "openspec") {
					e.Kind, e.SourcePriority = evidence.Spec, repo.MainSpec
				}
				lines[i], items = found, append(items, e)
			}
		}
		full := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	a, err := asker(t, dir).Ask(t.Context(), question, items)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// An answer includes what is asked for, wherever it is in the files of the evidence.
func TestWhatIsAskedForIsTold(t *testing.T) {
	for name, tt := range map[string]struct {
		question, path, src, want string
	}{
		"a field beside the unit": {"How many wrong codes are allowed?", "backend/otp.ts",
			"export class Otp {\n  private readonly maxWrongCodes = 5;\n\n  verify(code: string) {¶\n" +
				"    if (code !== this.code) {\n      this.wrongCodes++;\n    }\n  }\n}\n",
			"The line reads: `private readonly maxWrongCodes = 5;`"},
		"a call in another unit": {"How long can an invitation be accepted?", "backend/invites.cs",
			"class Invites {\n  void Create() {\n    var invitation = new Invitation {\n      ExpiresAt = now.AddDays(7),\n" +
				"    };\n  }\n\n  void Accept(Invitation invitation) {¶\n    if (invitation.ExpiresAt < now) {\n" +
				"      throw new BadRequestException(\"Invitation cannot be accepted\");\n    }\n  }\n}\n",
			"`Invites.Create` has the line `ExpiresAt = now.AddDays(7),`."},
		"an enumeration, whole": {"Which states can an order have?", "backend/State.cs",
			"public enum OrderState¶\n{\n    Open,\n    Sent,\n    Lost\n}\n",
			"The line reads: `public enum OrderState { Open, Sent, Lost }`"},
		"an enumeration of a database, whole": {"Which kinds of parcels are there?", "backend/kinds.sql",
			"CREATE TYPE parcel_kind AS ENUM ('small', 'large');¶\n",
			"The line reads: `CREATE TYPE parcel_kind AS ENUM ('small', 'large');`"},
		"an expression instead of a body": {"How many months does a subscription run?", "backend/Period.cs",
			"class Subscription {\n  public int Months() => this == Month ? 1 : 6;¶\n}\n",
			"`Subscription.Months` returns `this == Month ? 1 : 6`."},
		"a body beside its declaration": {"How many parcels fit?", "backend/Van.java",
			"class Van {\n  int parcels() { return 12; }¶\n  int free();\n}\n",
			"`Van.parcels` returns `12`."},
		"typed constants, whole": {"Which outcomes can a delivery have?", "backend/outcome.go",
			"package a\n\n// Outcomes of a delivery.\nconst (\n\tOutcomeSent Outcome = \"sent\"¶\n\tOutcomeLost Outcome = \"lost\"\n)\n",
			"The line reads: `const ( OutcomeSent Outcome = \"sent\" OutcomeLost Outcome = \"lost\" )`"},
		"a condition of people": {"Who may delete a report?", "backend/reports.py",
			"def delete_report(request, report):¶\n    if report.age > 30:\n        archive(report)\n" +
				"    if report.created_by != request.user:\n        raise PermissionDenied()\n",
			"`delete_report` fails with `PermissionDenied` when `report.created_by != request.user`."},
		"the sentence of an error": {"What does a second start of a job get?", "backend/jobs.py",
			"def start(job):¶\n    if job.running:\n        return Response({\n            'code': 'RUNNING',\n" +
				"            'message': 'The job is started already'\n        }, status=status.HTTP_409_CONFLICT)\n",
			"`start` fails with `HTTP_409_CONFLICT` \"The job is started already\" when `job.running`."},
		"a mark of a function": {"How often may somebody try to log in?", "backend/auth.ts",
			"class Auth {\n  @Throttle({ limit: 5, ttl: 60000 }) // 5 a minute\n  @Post('login')\n  async login(body: Body) {¶\n" +
				"    return this.service.check(body);\n  }\n}\n",
			"The line reads: `@Throttle({ limit: 5, ttl: 60000 }) // 5 a minute`"},
		"what is done, not what is logged, to its end": {"What happens when a menu is in use?", "backend/menus.ts",
			"function remove(menu: Menu) {¶\n  if (menu.used > 0) {\n    console.log('menu kept')\n    return reply(\n" +
				"      'A menu in use stays',\n      400)\n  }\n}\n",
			"`remove` tests `menu.used > 0`, then `return reply( 'A menu in use stays', 400)`."},
		"a returned literal, to its end": {"What does a full cart return?", "backend/cart.go",
			"package a\n\nfunc Add(c Cart) Info {¶\n\tif c.Full {\n\t\treturn Info{\n\t\t\tFull: true,\n\t\t}\n\t}\n\treturn Info{}\n}\n",
			"`Add` tests `c.Full`, then `return Info{ Full: true, }`."},
		"a returned call, to its end": {"What happens when a mail is wrong?", "backend/mail.rs",
			"fn check(mail: Mail) -> Page {¶\n    if mail.wrong {\n        return Html(Page {\n            error: 1,\n        });\n    }\n    page()\n}\n",
			"`check` tests `mail.wrong`, then `return Html(Page { error: 1, })`."},
		"no condition that always holds": {"When is the batch done?", "backend/batch.py",
			"def run(batch):¶\n    while True:\n        if batch.deleted <= 0:\n            return batch.done\n",
			"`run` tests `batch.deleted <= 0`, then `return batch.done`."},
		"a scenario": {"What happens to a parcel that is lost?", "openspec/specs/parcels/spec.md",
			"# Parcels\n\n### Requirement: Loss\nThe shop SHALL watch parcels.¶\n\n#### Scenario: Lost\n" +
				"- **WHEN** a parcel is lost\n- **THEN** the customer gets the money back\n- **AND** the clerk is told\n",
			"The specification “Loss” says: **WHEN** a parcel is lost **THEN** the customer gets the money back " +
				"**AND** the clerk is told"},
		"a sentence that does not bind": {"Which colours are sold?", "openspec/specs/colours/spec.md",
			"# Colours\n\n## Sale\n¶We sell `red`, `green` or `blue` (e.g. on Monday) in all shops.¶\n",
			"The specification “Sale” says: ¶We sell `red`, `green` or `blue` (e.g. on Monday) in all shops."},
	} {
		t.Run(name, func(t *testing.T) {
			a := asking(t, tt.question, map[string]string{tt.path: tt.src})
			if first, _, _ := strings.Cut(a.Answer, "\n"); first != tt.want {
				t.Errorf("%s\nwant %s", a.Answer, tt.want)
			}
		})
	}
}

// An answer without what is asked for says so and has a low confidence.
func TestWhatIsMissingIsTold(t *testing.T) {
	const src = "def send_mail(customer):¶\n    if customer.blocked:\n        return None\n    post(customer)\n"
	for question, want := range map[string]string{
		"How long is a mail to a customer kept?": "missing:time", "How many mails does a customer get?": "missing:amount",
		"Who may send a mail?": "missing:who", "顧客にメールは何回送られますか": "missing:amount",
		"Which kinds of mail are sent to a customer?": "missing:list", "Which status code does a blocked customer get?": "missing:status",
		"When is no mail sent to a customer?": "",
	} {
		a := asking(t, question, map[string]string{"backend/mail.py": src})
		missing := slices.DeleteFunc(slices.Clone(a.Unknowns), func(u string) bool { return !strings.HasPrefix(u, "missing:") })
		if strings.Join(missing, " ") != want || (want != "" && a.Confidence > .3) {
			t.Errorf("%s: %v, confidence %v, want %q", question, a.Unknowns, a.Confidence, want)
		}
	}
}

// A digit in a name is not an amount.
func TestANameHoldsNoAmount(t *testing.T) {
	const src = "def image(part):¶\n    if part.base64:\n        return decode(part.base64[0])\n    raise ImageError()\n"
	if a := asking(t, "How large may an image be?", map[string]string{"backend/image.py": src}); a.Confidence > .3 {
		t.Errorf("%s: confidence %v, %v", a.Answer, a.Confidence, a.Unknowns)
	}
}

// An answer stays short however many lines use a name that it states.
func TestAnswersAreShort(t *testing.T) {
	src := "export const en = {\n  title: 'Job was rejected',¶\n"
	for n := range 300 {
		src += fmt.Sprintf("  k%d: {\n    title: 'Row %d',\n  },\n", n, n)
	}
	if a := asking(t, "When is a job rejected?", map[string]string{"backend/en.ts": src + "}\n"}); len(a.Evidence) > 12 {
		t.Errorf("%d lines", len(a.Evidence))
	}
}

// If code and a specification state the same number, confidence is higher, up to the limit for the number of items.
func TestAgreementIsSurer(t *testing.T) {
	code := "MAX_GUESTS = 45\n\ndef check(guests):¶\n    if guests > MAX_GUESTS:\n        raise TooManyGuests()\n"
	spec := "### Requirement: Guests\n¶A room SHALL hold at most %d guests.¶\n"
	sure := map[string]evidence.Score{}
	for _, number := range []string{"45", "46"} {
		a := asking(t, "How many guests may a room hold?", map[string]string{
			"backend/rooms.py": code, "openspec/specs/rooms/spec.md": strings.ReplaceAll(spec, "%d", number)})
		if sure[number] = a.Confidence; a.Confidence > answer.Confidence(1, 1, a.SpecMismatch) {
			t.Errorf("surer than the items allow: %v", a.Confidence)
		}
	}
	if sure["45"] <= sure["46"] {
		t.Errorf("%v", sure)
	}
}

package judge

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// graphOf builds the graph of texts, each a section of its own.
func graphOf(resolve func(int, refer.Pointer) (toolset.Ref, bool), query []string, texts ...string) *Graph {
	in := Input{Query: sdk.Query{Raw: query[0]}, Resolve: resolve}
	for _, t := range query[1:] {
		in.Query.Terms = append(in.Query.Terms, sdk.Term{Text: t})
	}
	for i, t := range texts {
		in.Evidences = append(in.Evidences, Evidence{ManualID: "m", Path: "a.md", StartLine: 10*i + 1, Heading: "Part", Text: t})
	}
	return built(in)
}

func TestOnlyPointersThatLeadNowhereAreAGap(t *testing.T) {
	nowhere := func(int, refer.Pointer) (toolset.Ref, bool) { return toolset.Ref{}, false }
	somewhere := func(int, refer.Pointer) (toolset.Ref, bool) {
		return toolset.Ref{ManualID: "m", Path: "b.md", StartLine: 1}, true
	}
	for _, tc := range []struct {
		text    string
		resolve func(int, refer.Pointer) (toolset.Ref, bool)
		gaps    int
	}{
		{"For refunds of tools, see chapter 12.", nowhere, 1},
		{"For refunds of tools, see chapter 12.", somewhere, 0},
		{"Refunds of tools are paid within ten days to the account of the buyer, see chapter 12.", nowhere, 0},
		{"[Refunds of tools](missing.md)", nowhere, 1},
	} {
		g := graphOf(tc.resolve, []string{"refunds of tools", "refunds", "tools"}, tc.text)
		if len(g.Gaps) != tc.gaps || tc.gaps > 0 && g.Gaps[0].Need != needReference {
			t.Errorf("%s: gaps %+v", tc.text, g.Gaps)
		}
		if g.Facets[0].Coverage == Covered && tc.gaps > 0 {
			t.Errorf("%s: covered with a gap", tc.text)
		}
	}
}

func TestUnresolvedMeansAGap(t *testing.T) {
	query := []string{"What is the default port?", "default", "port"}
	g := graphOf(nil, query, "The default port is 8443.")
	if !g.Answered() || len(g.Gaps) > 0 {
		t.Errorf("claims %+v, gaps %+v", g.Claims, g.Gaps)
	}
	g = graphOf(nil, []string{"everything rebuilt checkout edited", "everything", "rebuilt", "checkout", "edited"}, "A checkout copies files.")
	if g.Answered() || len(g.Gaps) == 0 {
		t.Errorf("claims %+v, gaps %+v", g.Claims, g.Gaps)
	}
}

func TestItemsKeepTheDenialThatIntroducesThem(t *testing.T) {
	g := graphOf(nil, []string{"火災の損害", "地震", "火災"}, "次の損害には保険金を支払いません。\n- 地震による火災の損害\n- 故意による火災の損害\n")
	if want := "次の損害には保険金を支払いません。 地震による火災の損害"; g.Claims[0].Text != want {
		t.Errorf("claim %q, want %q", g.Claims[0].Text, want)
	}
}

func TestCodeAndTitlesAreNoClaims(t *testing.T) {
	for source, want := range map[string]bool{
		"message = client.messages.create(":          true,
		`data: {"type": "message_stop"}`:             true,
		"[A](a.md) [B](b.md) [C](c.md)":              true,
		`"max_tokens": 1024,`:                        true,
		`"role": "user",`:                            true,
		"max_tokens=1024,":                           true,
		`MODEL = "small"`:                            true,
		"import anthropic":                           true,
		"from typing import Tuple":                   true,
		`header "content-type: text" \`:              true,
		"print(message.content)":                     true,
		"Make a client client = lib.Client(key=KEY)": true,
		`create ( model = "m" , max_tokens = 1024 , messages = [ { "role" : "user" } ] )`:             true,
		"Home Products Store Finder Contact About Careers Press Terms Of Use Privacy Notice Site Map": true,
		"The default port is 8443.": false,
		"See [A](a.md), which tells how a lock is opened, [B](b.md) on keys and [C](c.md) on what it costs.": false,
		"retries: 5":                             false,
		"retries = 5":                            false,
		"TSUMUGI_STORE: the folder of the store": false,
		"Profit = revenue - costs (taxes and interest are not part of it).":              false,
		"Set `max_tokens=1024` and `temperature=0` (or leave both out) before the call.": false,
		"`client = lib.Client(key)` opens a connection.":                                 false,
		"The limit (see [rates](rates.md)) is 5 (five) calls.":                           false,
		`Say "yes" or "no": either will do.`:                                             false,
		"from January on import duties rise":                                             false,
		"import data every week":                                                         false,
		"上限は「最大値 = 100」（初期値）です。":                                                         false,
		"a.md: the first file":                                                           false,
	} {
		s := sentence{source: source, norm: source}
		if got := s.speechless(); got != want {
			t.Errorf("%s: %t", source, got)
		}
	}
}

func TestCodeIsToldWithoutAPattern(t *testing.T) {
	whole := regexp.MustCompile(`[({\[;\\]$|` + codeStart().String() + `|` + imports().String())
	piece := rapid.SampledFrom([]string{"import ", "from ", "return ", "func", "true", "f\"", "\"", "\\", ")", ",", "=A(", " ", ": ", ":", "=", " = ", "(", "{", "[", "]", "}", "<", ";", "$ ", "a.b", "x1", "-", "値", "。", "\n", "\xff"})
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "line"), "")
		if got, want := opens(line), whole.MatchString(line); got != want {
			t.Errorf("%q: %t, by one pattern %t", line, got, want)
		}
	})
}

// Code that is not fenced is neither a claim nor held against other code.
func TestCodeDoesNotContradict(t *testing.T) {
	query := []string{"max_tokens", "max_tokens"}
	texts := []string{"Call it so:\n\n\"max_tokens\": 1,\n", "Or so:\n\nmessage = client.messages.create(\n  model=MODEL,\n  max_tokens=500,\n  temperature=0,\n)\n"}
	g := graphOf(nil, query, append(texts, "Requests hold at most 4096 max_tokens.")...)
	if len(g.Conflicts) > 0 || len(g.Claims) != 1 || g.Claims[0].EvidenceID != evidenceID(2) {
		t.Errorf("claims %+v, conflicts %+v", g.Claims, g.Conflicts)
	}
	if g = graphOf(nil, query, texts...); len(g.Claims) > 0 || len(g.Gaps) == 0 {
		t.Errorf("nothing but code: claims %+v, gaps %+v", g.Claims, g.Gaps)
	}
}

func TestTwins(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"model x1", "model x2", true}, {"guide > room 1", "guide > room 2", true}, {"会議室1 > 定員", "会議室2 > 定員", true}, {"rider a > limit", "rider b > limit", true},
		{"1. fees", "2. fees", false}, {"chapter 1", "chapter 2", false}, {"第3条 期限", "第4条 期限", false}, {"room 1", "fees", false}, {"fees 2020", "fees 2021", false},
	} {
		if got := twins(tc.a, tc.b); got != tc.want {
			t.Errorf("%s, %s: %t", tc.a, tc.b, got)
		}
	}
}

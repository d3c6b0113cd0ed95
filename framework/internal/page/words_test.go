package page

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

// asked matches the keys that a template asks for.
var asked = regexp.MustCompile(`[({] ?t "([^"]+)"`)

// families are the codes that a template asks for by their family, as far as the program names them.
var families = map[string][]string{
	"status": {"ready", "needs_followup", "blocked"},
	"reason": {"nothing_answers", "gap", "conflict", "candidate_cap", "time_budget", "strategy_missing", "asks_for_all"},
	"cutoff": {"time_budget", "candidate_cap", "stage_cap", "hard_limit"},
	"intent": {string(sdk.IntentDefinition), string(sdk.IntentProcedure), string(sdk.IntentEligibility),
		string(sdk.IntentExceptions), string(sdk.IntentCompare), string(sdk.IntentUnknown)},
	"term":    {string(sdk.TermMust), string(sdk.TermSoft), string(sdk.TermNegative)},
	"tension": {"number", "polarity", "exception", "date", "procedure", "scope", "definition"},
	"widened": {"no_candidates", "few_candidates", "file_bias", "no_exceptions", "low_coverage", "low_margin", "conflict"},
	"stage":   stages(), "stage-text": stages(),
	"error": {string(toolset.InvalidParameter), string(toolset.InvalidPath), string(toolset.OutOfScope),
		string(toolset.NotFound), string(toolset.Forbidden), string(toolset.InvalidScope), string(toolset.Conflict),
		string(toolset.NeedsNarrowScope), string(toolset.NotAvailable), string(toolset.Internal)},
}

func stages() (out []string) {
	for _, s := range []search.Stage{search.StageSkipped, search.StageNotIndexed, search.StageNotGathered, search.StageOutOfScope,
		search.StageExcluded, search.StageUnexamined, search.StageUnmatched, search.StageNoText, search.StageUnlisted,
		search.StageCut, search.StageBelow, search.StageReranked, search.StagePassageCut, search.StageShown} {
		out = append(out, string(s))
	}
	return out
}

var verbs = regexp.MustCompile(`%(?:\[\d\])?[ds]`)

// Both languages have every text that the page asks for, with the same values, and no others.
func TestBothLanguagesAreComplete(t *testing.T) {
	raw, err := assets.ReadFile("assets/words.json")
	if err != nil {
		t.Fatal(err)
	}
	var said words
	if err := json.Unmarshal(raw, &said); err != nil {
		t.Fatal(err)
	}
	wanted := []string{"contents", "judged", "search", "state", "weights", "why", "compare.two", "error"} // titles
	for family, codes := range families {
		for _, c := range codes {
			wanted = append(wanted, family+"."+c)
		}
	}
	err = fs.WalkDir(assets, "assets", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") {
			return err
		}
		template, err := assets.ReadFile(path)
		for _, m := range asked.FindAllSubmatch(template, -1) {
			wanted = append(wanted, string(m[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range wanted {
		for _, l := range languages {
			if said[key][l.Tag] == "" {
				t.Errorf("words.json has no %q in %s", key, l.Name)
			}
		}
	}
	for key, texts := range said {
		if !slices.Contains(wanted, key) {
			t.Errorf("words.json has %q, which nothing asks for", key)
		}
		if len(texts) != len(languages) {
			t.Errorf("%q is said in %d languages, want %d", key, len(texts), len(languages))
		}
		if a, b := len(verbs.FindAllString(texts["en"], -1)), len(verbs.FindAllString(texts["ja"], -1)); a != b {
			t.Errorf("%q takes %d values in English and %d in Japanese", key, a, b)
		}
	}
}

func TestAnUnknownWordIsAnError(t *testing.T) {
	all, err := readLocales()
	if err != nil {
		t.Fatal(err)
	}
	if said, err := all[0].say("no such key"); err == nil {
		t.Errorf("%q", said)
	}
	if got := all[1].code("reason", "never_heard_of"); got != "never heard of" {
		t.Errorf("%q", got)
	}
}

package corpus_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// namesOf returns the names of a file's sections.
func namesOf(path, src string) (out []string) {
	for _, s := range corpus.Cut(path, []byte(src)) {
		out = append(out, s.Names)
	}
	return out
}

func TestNames(t *testing.T) {
	const untitled = "## A\n\ntext\n\n## B\n\ntext\n"
	for _, tt := range []struct {
		name, path, src string
		want            []string // of the first and of the second section
	}{
		{"title in the name alone", "総合医療保険のしおり.md", untitled, []string{"総合医療保険のしおり", "総合医療保険のしおり"}},
		{"cut at hyphens and underscores", "direct-deposit_form.md", untitled, []string{"direct deposit form", "direct deposit form"}},
		{"dots and camel case stay for the tokenizer", "parseURL.v1.2.md", untitled, []string{"parseURL.v1.2", "parseURL.v1.2"}},
		{"dates and codes stay", "2026-11-23_ERR-1042.md", untitled, []string{"2026-11-23 ERR-1042", "2026-11-23 ERR-1042"}},
		{"an ordinal is no name", "01-install.md", untitled, []string{"install", "install"}},
		{"ordinals of folders", "02_運用/1. 障害対応.md", untitled, []string{"運用 障害対応", "障害対応"}},
		{"nothing but a number", "042.md", untitled, []string{"042", "042"}},
		{"folders stand with the first section", "billing/eu/refunds.md", untitled, []string{"billing eu refunds", "refunds"}},
		{"index is its folder", "billing/index.md", untitled, []string{"billing", ""}},
		{"what the title says is left out", "guides/reset-the-Routers.md", "# Router resets\n\n## A\n\n## B\n", []string{"guides the", "the"}},
		{"a title of the front matter too", "refunds.md", "---\ntitle: Refunds\n---\n## A\n\n## B\n", []string{"", ""}},
		{"several titles are none of the file", "refunds.md", "# A\n\n# B\n", []string{"refunds", "refunds"}},
		{"a long name may be cut short", "benefits-planner-family-benefits-social-secu.md", "# Benefits Planner | Family Benefits | Social Security\n\n## A\n", []string{"", ""}},
		{"a short one is as it is", "auth.md", "# Authentication\n\n## A\n", []string{"auth", "auth"}},
		{"of several words too", "api-auth.md", "# API authentication\n\n## A\n", []string{"auth", "auth"}},
		{"text before the first heading", "notes.md", "text\n\n## A\n\ntext\n", []string{"", "notes"}},
		{"JSON", "rates/2026.json", "{}", []string{"rates"}},
		{"signs alone", "--/__.md", untitled, []string{"", ""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := namesOf(tt.path, tt.src)
			if diff := cmp.Diff(tt.want, got[:min(2, len(got))]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Each section has every word of the file's name, and the first one also those of the folders: in its names or in its
// title.
func TestEveryWordOfANameIsSearched(t *testing.T) {
	part := rapid.SliceOfN(rapid.SampledFrom([]string{"refund", "fooBar", "約款", "支払い", "v2", "2026", "A", "-", "_", ".", " "}), 1, 4)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(what string) string { return strings.Join(part.Draw(t, what), "") }
		folder, name := "x"+draw("folder"), "x"+draw("name")
		src := rapid.SampledFrom([]string{"", "# " + draw("title") + "\n\n", "text\n\n"}).Draw(t, "start") + "## A\n\n## B\n"
		for i, s := range corpus.Cut(folder+"/"+name+".md", []byte(src)) {
			wanted := terms(name)
			if i == 0 {
				wanted = append(wanted, terms(folder)...)
			}
			for _, term := range wanted {
				if !slices.Contains(terms(s.HeadingPath+"\n"+s.Names), term) {
					t.Fatalf("%s/%s, section %d: %q is in none of %q and %q", folder, name, i, term, s.HeadingPath, s.Names)
				}
			}
		}
	})
}

// terms returns words and pairs of characters.
func terms(s string) (out []string) {
	t := text.Normalize(s)
	var z text.Tokenizer
	for token := range z.Tokens(&t) {
		if token.Class == text.Word || token.Class == text.Bigram {
			out = append(out, token.Term)
		}
	}
	return out
}

func TestNamesAreAField(t *testing.T) {
	for _, source := range []corpus.Source{corpus.ManualSource{}, corpus.VaultSource{}} {
		field := slices.Index(source.Schema().Fields, "path")
		if field != snapshot.FieldPath {
			t.Errorf("the field path is number %d", field)
		}
		for row := range source.Cut("billing/refunds.md", []byte("## A\ntext\n")) {
			if diff := cmp.Diff([]string{"A", "text\n", "billing refunds"}, row.Fields); diff != "" {
				t.Error(diff)
			}
		}
	}
}

package unit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

const program = `package orders

import "errors"

// MaxItems bounds an order.
const MaxItems = 40

// Cart is an order before it is placed.
type Cart struct{ items int }

// Add adds an item.
func (c *Cart) Add() error {
	if c.items >= MaxItems {
		return errors.New("too many items")
	}
	c.items++
	return nil
}
`

// seen is what a test compares of a row.
type seen struct {
	Title              string
	Node               snapshot.NodeKind
	Start, Body, End   int
	Name, Context, Doc string
	Facts              string
	Keywords           string
}

func look(rows []corpus.Row) []seen {
	all := []seen{}
	for _, r := range rows {
		all = append(all, seen{
			r.Title, r.Node, r.Start, r.Body, r.End, r.Fields[snapshot.FieldName], r.Fields[snapshot.FieldContext],
			r.Fields[snapshot.FieldComment], r.Fields[snapshot.FieldFacts], strings.Join(r.Keywords, " "),
		})
	}
	return all
}

func TestDeclarationsBecomeRows(t *testing.T) {
	want := []seen{
		{Node: snapshot.NodeLines, Start: 1, Body: 1, End: 3, Context: "backend orders cart\n", Keywords: "source:1"},
		{"MaxItems", snapshot.NodeUnit, 5, 6, 6, "MaxItems", "backend orders cart\n", "// MaxItems bounds an order.", "MaxItems = 40\n", "source:1"},
		{"Cart", snapshot.NodeUnit, 8, 9, 9, "Cart", "backend orders cart\n", "// Cart is an order before it is placed.", "", "source:1"},
		{"Cart.Add", snapshot.NodeUnit, 11, 12, 18, "Add", "backend orders cart\nCart.", "// Add adds an item.", "MaxItems\nerrors.New too many items\n", "source:1"},
	}
	if diff := cmp.Diff(want, look(unit.Cut("backend/orders/cart.go", repo.Code, []byte(program)))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAGroupHasAllItsNames(t *testing.T) {
	const group = "package a\n\nconst (\n\t_ = iota\n\tmaxItems, minItems = 40, 1\n\tmaxSessions = 3\n)\n"
	rows := unit.Cut("backend/a.go", repo.Code, []byte(group))
	if got := rows[len(rows)-1].Fields[snapshot.FieldName]; got != "maxItems\nminItems\nmaxSessions" {
		t.Errorf("%q", got)
	}
}

func TestAnEnclosingUnitLeavesInnerOnesOut(t *testing.T) {
	src := "class Cart:\n    \"\"\"An order.\"\"\"\n    print(1)\n\n    def add(self):\n        return self.limit\n\n    def clear(self):\n        self.items = []\n"
	rows := unit.Cut("backend/cart.py", repo.Code, []byte(src))
	own := map[string]string{}
	for i, r := range rows {
		own[r.Title] = strings.Join(strings.Fields(r.Fields[snapshot.FieldOwn]), " ")
		if inner := strings.HasPrefix(r.Title, "Cart."); inner != (r.Parent == 0) && i > 0 {
			t.Errorf("%s has the parent %d", r.Title, r.Parent)
		}
	}
	want := map[string]string{"Cart": "class Cart: print(1)", "Cart.add": "def add(self): return self.limit", "Cart.clear": "def clear(self): self.items = []"}
	if diff := cmp.Diff(want, own); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestRequirementsBecomeRows(t *testing.T) {
	src := "# Orders\n## Requirements\n### Requirement: Items\nAt most 40.\n#### Scenario: Full\n- THEN it is refused\n"
	want := []seen{{
		"Items", snapshot.NodeHeading, 3, 3, 6, "Items", "openspec specs orders spec\nOrders > Requirements > Requirement: Items", "", "", "source:3",
	}}
	for _, ext := range []string{".md", ".mdx"} {
		got := look(unit.Cut("openspec/specs/orders/spec"+ext, repo.MainSpec, []byte(src)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", ext, diff)
		}
	}
}

func TestBrokenSyntaxIsMarked(t *testing.T) {
	rows := unit.Cut("backend/a.ts", repo.Code, []byte("export function f(a {\n  if (a > 3 {\n"))
	if len(rows) == 0 || !strings.Contains(strings.Join(rows[0].Keywords, " "), unit.Broken) {
		t.Errorf("%+v", rows)
	}
}

// FuzzCut checks that a snapshot accepts every row: parents come before their units, and lines exist in the file.
func FuzzCut(f *testing.F) {
	for _, pattern := range []string{"*/backend/*/*", "*/openspec/specs/*/*"} {
		files, _ := filepath.Glob(filepath.Join("..", "..", "..", "..", "testdata", "logic", pattern))
		for _, name := range files {
			if src, err := os.ReadFile(name); err == nil {
				f.Add(filepath.Base(name), string(src))
			}
		}
	}
	f.Add("a.py", "class A:\n def b(self): pass\n")
	f.Fuzz(func(t *testing.T, name, src string) {
		kind, fields := repo.Code, len(snapshot.LogicSchema().Fields)
		if strings.HasSuffix(name, ".md") {
			kind = repo.MainSpec
		}
		src = strings.ToValidUTF8(src, "")
		last := corpus.NewLines([]byte(src)).Count()
		for i, r := range unit.Cut(name, kind, []byte(src)) {
			if r.Parent != snapshot.None && int(r.Parent) >= i {
				t.Errorf("row %d has the parent %d", i, r.Parent)
			}
			if len(r.Fields) != fields || r.Start < 1 || r.Start > r.End || r.End > last || r.Body < r.Start {
				t.Errorf("row %d of %d lines: %+v", i, last, r)
			}
		}
	})
}

package semcache

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
)

// off lets everything pass.
var off = Guard{-1, -1}

func keyFor(exact, meaning string) Key {
	return Key{Exact: sha256.Sum256([]byte(exact)), Meaning: sha256.Sum256([]byte(meaning))}
}

func TestLookup(t *testing.T) {
	c := New[string](Options{TTL: time.Hour, Keep: 10, Guard: Guard{MaxGaps: 1, MaxConflicts: 0}})
	scope := Scope{ManualID: "m", Fingerprint: "f"}
	c.Put(scope, keyFor("good", "GOOD"), Entry[string]{Payload: "p", Gaps: 1, Latency: time.Second})
	c.Put(scope, keyFor("gaps", "GAPS"), Entry[string]{Payload: "p", Gaps: 2})
	c.Put(scope, keyFor("conflict", "CONFLICT"), Entry[string]{Payload: "p", Conflicts: 1})
	definition, procedure := keyFor("framed", "FRAMED"), keyFor("other", "FRAMED")
	definition.Intent, procedure.Intent = sdk.IntentDefinition, sdk.IntentProcedure
	alike := Entry[string]{Payload: "p", Alike: []sdk.Intent{sdk.IntentDefinition}}
	c.Put(scope, keyFor("bare", "FRAMED"), alike)
	edited := scope
	edited.Fingerprint = "g"
	for _, x := range []struct {
		name  string
		scope Scope
		key   Key
		want  Found[string]
	}{
		{"the same query", scope, keyFor("good", "GOOD"), Found[string]{Mode: Exact, Entry: Entry[string]{Payload: "p", Gaps: 1, Conflicts: 0, Latency: time.Second}}},
		{"another wording", scope, keyFor("other", "GOOD"), Found[string]{Mode: Semantic, Entry: Entry[string]{Payload: "p", Gaps: 1, Conflicts: 0, Latency: time.Second}}},
		{"another question", scope, keyFor("other", "OTHER"), Found[string]{Mode: Miss}},
		{"an intent that is answered alike", scope, definition, Found[string]{Mode: Semantic, Entry: alike}},
		{"an intent that is not", scope, procedure, Found[string]{Mode: Miss}},
		{"an edited manual", edited, keyFor("good", "GOOD"), Found[string]{Mode: Miss}},
		{"too many gaps", scope, keyFor("gaps", "GAPS"), Found[string]{Mode: Revalidate}},
		{"a conflict, in other words", scope, keyFor("other", "CONFLICT"), Found[string]{Mode: Revalidate}},
	} {
		if diff := cmp.Diff(x.want, c.Lookup(x.scope, x.key, nil)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", x.name, diff)
		}
	}
}

func TestEveryPartOfTheScopeParts(t *testing.T) {
	recipe := Recipe(nil, "s")
	base := Scope{"m", true, 200, 60000, recipe, "f"}
	c := New[int](Options{TTL: time.Hour, Keep: 10, Guard: off})
	c.Put(base, keyFor("q", "Q"), Entry[int]{Payload: 1})
	for _, other := range []Scope{
		{"n", true, 200, 60000, recipe, "f"}, {"m", false, 200, 60000, recipe, "f"}, {"m", true, 100, 60000, recipe, "f"},
		{"m", true, 200, 1000, recipe, "f"}, {"m", true, 200, 60000, Recipe(nil, "t"), "f"}, {"m", true, 200, 60000, recipe, "g"},
	} {
		if found := c.Lookup(other, keyFor("q", "Q"), nil); found.Mode != Miss {
			t.Errorf("%+v: %s", other, found.Mode)
		}
	}
	if found := c.Lookup(base, keyFor("q", "Q"), nil); found.Mode != Exact {
		t.Errorf("the scope itself: %s", found.Mode)
	}
}

func TestExpiry(t *testing.T) {
	now := time.Unix(1000, 0)
	c := New[int](Options{TTL: time.Minute, Keep: 10, Guard: off})
	c.now = func() time.Time { return now }
	c.Put(Scope{}, keyFor("q", "Q"), Entry[int]{Payload: 1})
	now = now.Add(time.Minute)
	if found := c.Lookup(Scope{}, keyFor("x", "Q"), nil); found.Mode != Semantic {
		t.Errorf("at its age: %s", found.Mode)
	}
	now = now.Add(1)
	if found := c.Lookup(Scope{}, keyFor("x", "Q"), nil); found.Mode != Miss || c.recent.Len() != 0 {
		t.Errorf("after its age: %s, %d left", found.Mode, c.recent.Len())
	}
}

func TestRecipe(t *testing.T) {
	recipe := func(version string, settings any) [32]byte {
		return Recipe([]sdk.Description{{Name: "normalized", Version: version, Stage: sdk.StageRetrieve, Weight: 1}}, settings)
	}
	base := recipe("1", map[string]int{"rerank": 50})
	if base != recipe("1", map[string]int{"rerank": 50}) {
		t.Error("a recipe is not stable")
	}
	if base == recipe("2", map[string]int{"rerank": 50}) || base == recipe("1", map[string]int{"rerank": 0}) {
		t.Error("a version or a setting does not show")
	}
}

// The cache is limited by weight too, since answers differ in their number of candidates.
func TestEntriesAreBoundedByTheirWeight(t *testing.T) {
	c := New[string](Options{TTL: time.Hour, Keep: 10, Weight: 100, Guard: off})
	for _, put := range []struct {
		query  string
		weight int
		left   string
	}{
		{"a", 40, "a"}, {"b", 40, "ab"}, {"c", 40, "bc"}, {"d", 101, "bc"}, {"b", 60, "bc"}, {"e", 100, "e"}, {"e", 101, ""}, {"f", 0, "f"},
	} {
		c.Put(Scope{}, keyFor(put.query, put.query), Entry[string]{Payload: put.query, Weight: put.weight})
		left := ""
		for _, query := range []string{"a", "b", "c", "d", "e", "f"} {
			left += c.Lookup(Scope{}, keyFor(query, query), nil).Entry.Payload
		}
		if left != put.left {
			t.Errorf("after %s of %d: %q, want %q", put.query, put.weight, left, put.left)
		}
	}
}

// The cache serves what a plain list would: the newest answer to the query, or else the newest to the same question,
// among the Keep most recently used.
func TestAgainstPlainList(t *testing.T) {
	type answer struct {
		exact, meaning string
		value          int
	}
	rapid.Check(t, func(t *rapid.T) {
		keep := rapid.IntRange(1, 4).Draw(t, "keep")
		c := New[int](Options{TTL: time.Hour, Keep: keep, Guard: off})
		var list []answer // most recently used first
		take := func(i int) answer {
			a := list[i]
			list = append(list[:i:i], list[i+1:]...)
			return a
		}
		for step := range rapid.IntRange(1, 40).Draw(t, "steps") {
			n := rapid.IntRange(0, 7).Draw(t, "query")
			exact, meaning := fmt.Sprint(n), fmt.Sprint(n/2)
			at := -1
			for i, a := range list {
				if a.exact == exact {
					at = i
				}
			}
			if rapid.Bool().Draw(t, "put") {
				if at >= 0 {
					take(at)
				}
				c.Put(Scope{}, keyFor(exact, meaning), Entry[int]{Payload: step})
				list = append([]answer{{exact, meaning, step}}, list...)
				list = list[:min(keep, len(list))]
				continue
			}
			found := c.Lookup(Scope{}, keyFor(exact, meaning), nil)
			switch found.Mode {
			case Exact, Semantic:
				for i, a := range list {
					if a.value == found.Entry.Payload {
						at = i
					}
				}
				if at < 0 || list[at].meaning != meaning || (found.Mode == Exact) != (list[at].exact == exact) {
					t.Fatalf("lookup %s gave %+v, list %v", exact, found, list)
				}
				list = append([]answer{take(at)}, list...)
			case Miss:
				if at >= 0 {
					t.Fatalf("lookup %s missed, list %v", exact, list)
				}
			}
			if c.recent.Len() != len(list) || len(c.byExact) != c.recent.Len() || len(c.byMeaning) > c.recent.Len() {
				t.Fatalf("%d kept, %d and %d indexed, want %d", c.recent.Len(), len(c.byExact), len(c.byMeaning), len(list))
			}
		}
	})
}

func TestConcurrentUse(t *testing.T) {
	c := New[string](Options{TTL: time.Hour, Keep: 20, Guard: off})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 500 {
				q := fmt.Sprint((i*7 + g) % 40)
				c.Put(Scope{}, keyFor(q, q), Entry[string]{Payload: q})
				if found := c.Lookup(Scope{}, keyFor("other"+q, q), nil); found.Mode == Semantic && found.Entry.Payload != q {
					t.Errorf("asked %s, got %s", q, found.Entry.Payload)
				}
			}
		})
	}
	wg.Wait()
	if c.recent.Len() != 20 {
		t.Errorf("%d kept, want 20", c.recent.Len())
	}
}

func BenchmarkHit(b *testing.B) {
	c := New[string](Options{TTL: time.Hour, Keep: 500, Guard: off})
	scope := Scope{ManualID: "m", Fingerprint: "f"}
	for i := range 500 {
		c.Put(scope, KeyOf(sdk.Query{Raw: fmt.Sprintf("返品の期限 %d", i)}), Entry[string]{Payload: "p"})
	}
	for b.Loop() {
		if !c.Lookup(scope, KeyOf(sdk.Query{Raw: "返品の期限 250について教えてください"}), nil).Mode.Hit() {
			b.Fatal("no hit")
		}
	}
}

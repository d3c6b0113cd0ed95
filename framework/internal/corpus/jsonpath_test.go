package corpus_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

const sample = `{"items": [{"bunya": "保険"}, {"a/b": {"c~": 1}}], "end": null}`

func TestJSONOffset(t *testing.T) {
	for pointer, want := range map[string]string{"/items/0/bunya": `"bunya"`, "/items/1": `{"a/b"`, "/end": `"end"`, "": "{"} {
		offset, ok := corpus.JSONOffset([]byte(sample), pointer)
		if !ok || !strings.HasPrefix(sample[offset:], want) {
			t.Errorf("JSONOffset(%q) = %d, %t; want %s", pointer, offset, ok, want)
		}
	}
	if offset, ok := corpus.JSONOffset([]byte(sample), "/nowhere"); ok {
		t.Errorf("found a pointer that is not there at %d", offset)
	}
}

func TestJSONValue(t *testing.T) {
	for pointer, want := range map[string]string{
		"/items/0/bunya": `"保険"`, "/items/1": `{"a/b": {"c~": 1}}`, "/items/1/a~1b/c~0": "1", "/end": "null", "/items": `[{"bunya": "保険"}, {"a/b": {"c~": 1}}]`, "": sample,
	} {
		for before, src := range map[int]string{0: sample, 3: "\ufeff" + strings.ReplaceAll(sample, ": ", " :\n ")} {
			from, end, ok := corpus.JSONValue([]byte(src), pointer)
			if got := strings.ReplaceAll(src[from:end], " :\n ", ": "); !ok || got != want {
				t.Errorf("JSONValue(%q) behind %d bytes = %q, %t", pointer, before, got, ok)
			}
		}
	}
	for pointer, src := range map[string]string{"/nowhere": sample, "/a": `{"a": [1, }`, "/b": `{"b": `} {
		if from, end, ok := corpus.JSONValue([]byte(src), pointer); ok {
			t.Errorf("JSONValue(%q) of %s = %d, %d", pointer, src, from, end)
		}
	}
}

func TestJSONPointerOfAPlace(t *testing.T) {
	for place, want := range map[string]string{
		"保険": "/items/0", "bunya": "/items/0", "c~": "/items/1/a~1b", "null": "/end", "{": "", "items": "/items",
	} {
		if got := corpus.JSONPointer([]byte(sample), strings.Index(sample, place), 20); got != want {
			t.Errorf("%s stands at %q, want %q", place, got, want)
		}
	}
	if got := corpus.JSONPointer([]byte(sample), strings.Index(sample, "保険"), 10); got != "/items/0/bunya" {
		t.Errorf("in an object that is too long %q", got)
	}
	if got := corpus.JSONPointer([]byte(`{"a" "b"}`), 6, 20); got != "" {
		t.Errorf("of broken JSON %q", got)
	}
}

func TestJSONSiblings(t *testing.T) {
	for pointer, want := range map[string][]string{
		"/itms": {"/items", "/end"}, "/items/7": {"/items/0", "/items/1"}, "/items/0/x/y": {"/items/0/bunya"}, "": nil,
	} {
		if diff := cmp.Diff(want, corpus.JSONSiblings([]byte(sample), pointer, 9)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", pointer, diff)
		}
	}
	if got := corpus.JSONSiblings([]byte(sample), "/x", 1); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestDeepNesting(t *testing.T) {
	src := strings.Repeat("[", 300) + "1" + strings.Repeat("]", 300)
	if at, ok := corpus.JSONOffset([]byte(src), strings.Repeat("/0", 300)); !ok || at != 300 {
		t.Errorf("offset %d, %t", at, ok)
	}
}

// TestLongJSONNames fails to end if each element of a list costs as much as the name above it is long.
func TestLongJSONNames(t *testing.T) {
	src := []byte(`{"` + strings.Repeat("x", 1<<20) + `":[` + strings.Repeat("0,", 1<<20) + `1]}`)
	if at, ok := corpus.JSONOffset(src, "/a/b"); ok {
		t.Errorf("found at %d", at)
	}
	if got := corpus.JSONSiblings(src, "/a/b", 5); len(got) != 1 {
		t.Errorf("%d siblings", len(got))
	}
	if got := corpus.JSONPointer(src, len(src)-3, 10); !strings.HasSuffix(got, "/1048576") {
		t.Errorf("the last element stands at …%s", got[max(0, len(got)-20):])
	}
}

func FuzzJSONPointer(f *testing.F) {
	f.Add([]byte(sample), "/items/1/a~1b")
	f.Add([]byte(`[1,{"a":[]}] x`), "/1/a")
	f.Add([]byte("\ufeff{"), "")
	f.Fuzz(func(t *testing.T, src []byte, pointer string) {
		if from, end, ok := corpus.JSONValue(src, pointer); ok && !jsontext.Value(src[from:end]).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
			t.Fatalf("%q at %q: no value: %q", src, pointer, src[from:end])
		}
		if at, ok := corpus.JSONOffset(src, pointer); ok && (at < 0 || at >= len(src)) {
			t.Fatalf("%q: %q starts at %d", src, pointer, at)
		}
	})
}

func TestJSONNames(t *testing.T) {
	for pointer, want := range map[string][]string{
		"": nil, "/items/2/bunya": {"items", "bunya"}, "/paths/~1pets~1{id}/get": {"paths", "/pets/{id}", "get"},
	} {
		if diff := cmp.Diff(want, corpus.JSONNames(pointer)); diff != "" {
			t.Errorf("%q: %s", pointer, diff)
		}
	}
}

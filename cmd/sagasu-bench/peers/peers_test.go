package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// ask sends requests in turn and returns the replies.
func ask(t *testing.T, requests ...request) []reply {
	t.Helper()
	var in, out bytes.Buffer
	for _, q := range requests {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := serve(&in, &out); err != nil {
		t.Fatal(err)
	}
	var replies []reply
	for dec := json.NewDecoder(&out); dec.More(); {
		var r reply
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		replies = append(replies, r)
	}
	if len(replies) != len(requests) {
		t.Fatalf("%d replies to %d requests", len(replies), len(requests))
	}
	return replies
}

var texts = map[string][]section{
	"ja": {
		{0, "かまど > 掃除\n週に一度は煤を払う。"},
		{1, "かまど > 火入れ\n灰を出してから火を入れる。灰は庭に撒く。"},
		{2, "やかん\n酢で水垢を落とす。"},
	},
	"en": {
		{0, "Oven > Cleaning\nRemove the soot once a week."},
		{1, "Oven > Lighting\nTake the ashes out, spread the ash in the garden."},
		{2, "Kettle\nVinegar descales."},
	},
}

func TestEnginesFind(t *testing.T) {
	for _, engine := range []string{"bleve", "sqlite"} {
		for _, tc := range []struct {
			language, query string
			k, first, count int
		}{
			{"ja", "煤を掃除", 10, 0, 1},
			{"ja", "水垢", 10, 2, 1},
			{"ja", "かまど", 10, -1, 2},
			{"ja", "かまど", 1, -1, 1},
			{"ja", "雪", 10, -1, 0},
			{"ja", `"" OR (`, 10, -1, 0},
			{"en", "cleaned ovens", 10, 0, 2},
			{"en", "ash", 10, 1, 1},
			{"en", "", 10, -1, 0},
		} {
			t.Run(fmt.Sprintf("%s %s %s", engine, tc.language, tc.query), func(t *testing.T) {
				dir := t.TempDir()
				all := texts[tc.language]
				replies := ask(t,
					request{Op: "load", Sections: all[:1]}, request{Op: "load", Sections: all[1:]},
					request{Op: "build", Engine: engine, Dir: dir, Language: tc.language},
					request{Op: "open", Engine: engine, Dir: dir, Language: tc.language},
					request{Op: "query", Engine: engine, Text: tc.query, K: tc.k},
					request{Op: "close", Engine: engine},
					request{Op: "query", Engine: engine, Text: tc.query, K: tc.k},
				)
				for i, r := range replies[:6] {
					if r.Error != "" {
						t.Fatalf("request %d: %s", i, r.Error)
					}
				}
				if built := replies[2]; built.NS <= 0 || built.Bytes <= 0 {
					t.Errorf("building: %+v", built)
				}
				got := replies[4]
				if len(got.IDs) != tc.count || tc.first >= 0 && got.IDs[0] != tc.first || got.NS <= 0 {
					t.Errorf("found %+v, want %d, first %d", got, tc.count, tc.first)
				}
				if !strings.Contains(replies[6].Error, "no index is open") {
					t.Errorf("after close: %+v", replies[6])
				}
			})
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		request request
		want    string
	}{
		{request{Op: "query", Engine: "grep"}, `no engine "grep"`},
		{request{Op: "sing", Engine: "bleve"}, "no such operation"},
		{request{Op: "open", Engine: "bleve", Dir: "/none"}, "open:"},
	} {
		if got := ask(t, tc.request)[0].Error; !strings.Contains(got, tc.want) {
			t.Errorf("%+v: %q, want %q", tc.request, got, tc.want)
		}
	}
	var out bytes.Buffer
	if err := serve(strings.NewReader("sing\n"), &out); err != nil || !strings.Contains(out.String(), "not a request") {
		t.Errorf("%v, %s", err, &out)
	}
}

func TestHello(t *testing.T) {
	engines := ask(t, request{Op: "hello"})[0].Engines
	if len(engines) != 2 || engines[0].Name != "bleve" || engines[1].Name != "sqlite" || engines[0].About == "" {
		t.Errorf("engines %+v", engines)
	}
}

func TestBigrams(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "",
		"火":                    "火",
		"サーバーを再起動":             "サー ーバ バー ーを を再 再起 起動",
		"std::vectorの要素 C++20": "std vector の要 要素 c 20",
		"第3条、別表":               "第 3 条 別表",
	} {
		if got := strings.Join(bigrams(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

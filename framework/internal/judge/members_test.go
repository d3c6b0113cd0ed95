package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestMembers(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string // line and text
	}{
		{"flat", "{\n  \"retries\": 5,\n  \"on\": true\n}\n", []string{"11 retries: 5", "12 on: true"}},
		{"one line", `{"queue": {"retries": 5, "name": "orders"}}`, []string{"10 retries: 5", "10 name: orders"}},
		{"list", "{\"hosts\": [\n\"a\",\n\"b\"]}", []string{"11 hosts: a", "12 hosts: b"}},
		{"prose", `{"answer": "Wait an hour. Then call us."}`, []string{"10 Wait an hour.", "10 Then call us."}},
		{"escapes", `{"path": "a\/b \u3042"}`, []string{"10 path: a/b あ"}},
		{"from the middle", "ies\": 5},\n{\"id\": \"E-1\"", []string{"10 ies", "10 },", "11 id: E-1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, s := range members(nil, &text.Folder{}, &Evidence{Path: "a.json", StartLine: 10, Text: tc.text}) {
				got = append(got, fmt.Sprint(s.line, " ", s.source))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" && tc.name != "from the middle" {
				t.Error(diff)
			} else if tc.name == "from the middle" && got[len(got)-1] != "11 id: E-1" {
				t.Error(got)
			}
		})
	}
}

// What a member is about is also said by the keys around it.
func TestMembersKnowTheirKeys(t *testing.T) {
	s := members(nil, &text.Folder{}, &Evidence{Path: "a.json", StartLine: 1, Text: `{"queue": {"retries": 5}}`})
	if len(s) != 1 || !strings.Contains(s[0].norm, "queue") || strings.Contains(s[0].source, "queue") {
		t.Errorf("%+v", s)
	}
}

func FuzzMembers(f *testing.F) {
	f.Add(`{"a": [1, {"b": "c. d"}], "e": null}`)
	f.Add("\"a\\\": }]]{\n\"")
	f.Fuzz(func(t *testing.T, body string) {
		for _, s := range members(nil, &text.Folder{}, &Evidence{Path: "a.json", StartLine: 1, Text: body}) {
			if s.line < 1 || s.line > 1+strings.Count(body, "\n") {
				t.Errorf("line %d", s.line)
			}
		}
	})
}

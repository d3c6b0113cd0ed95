package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/chat"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
)

var material = answer.Material{Question: "When is a password refused?", Claims: []answer.Claim{
	{Kind: evidence.Code, Path: "backend/a.ts", Line: 3, Text: "`checkPassword` fails with `ValidationError` \"password is too short\" when `password.length < 12`."},
	{Kind: evidence.Spec, Path: "openspec/specs/a.md", Line: 5, Text: "The specification “Password” says: A password MUST be at least 12 characters long."},
	{Kind: evidence.Spec, Path: "openspec/specs/a.md", Line: 9, Text: "仕様「パスワード」: パスワードは12文字以上でなければならない。"},
}}

// served answers with a text as a chat completion, and records the request.
func served(t *testing.T, status int, body string) (*chat.Client, *string) {
	t.Helper()
	asked := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		asked = r.Method + " " + r.URL.Path + " " + r.Header.Get("Authorization") + " " + string(raw)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	c, err := chat.New(chat.Options{URL: server.URL + "/v1", Model: "tiny", Key: "secret"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c, &asked
}

func completion(t *testing.T, said string) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": said}}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestWhatIsNotBackedIsDropped(t *testing.T) {
	tests := []struct {
		name, statement string
		claims          string
		kept            bool
	}{
		{"said by a claim", "A password must be at least 12 characters long.", "[2]", true},
		{"said by two", "`checkPassword` fails with `ValidationError` when the password is shorter than 12.", "[1, 2]", true},
		{"another number", "A password must be at least 16 characters long.", "[2]", false},
		{"part of a number", "A password must be at least 1 character long.", "[2]", false},
		{"another name", "A short password makes `checkPassphrase` fail.", "[1]", false},
		{"denied", "A password must not be at least 12 characters long.", "[2]", false},
		{"something else", "Locked accounts are mailed to administrators.", "[1]", false},
		{"no claim", "A password must be at least 12 characters long.", "[]", false},
		{"a claim that is none", "A password must be at least 12 characters long.", "[2, 4]", false},
		{"a duty in other words", "パスワードは必ず12文字以上にします。", "[3]", true},
		{"a duty denied", "パスワードは12文字以上にしません。", "[3]", false},
		{"claim 0", "A password must be at least 12 characters long.", "[0]", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, _ := json.Marshal(tt.statement)
			c, _ := served(t, http.StatusOK, completion(t, `{"statements": [{"text": `+string(text)+`, "claims": `+tt.claims+`}]}`))
			w, err := c.Word(t.Context(), material)
			if err != nil || len(w.Statements) == 1 != tt.kept || len(w.Dropped) == 0 != tt.kept {
				t.Errorf("%+v, %v", w, err)
			}
		})
	}
}

func TestAsking(t *testing.T) {
	c, asked := served(t, http.StatusOK, completion(t, `{"statements": [{"text": "A password must be at least 12 characters long.", "claims": [2]}]}`))
	w, err := c.Word(t.Context(), material)
	want := answer.Wording{Statements: []answer.Statement{{Text: "A password must be at least 12 characters long.", Claims: []int{1}}}}
	if diff := cmp.Diff(want, w); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	for _, part := range []string{"POST /v1/chat/completions Bearer secret", `"model":"tiny"`, "Language: English", "2. [spec, openspec/specs/a.md:5]"} {
		if !strings.Contains(*asked, part) {
			t.Errorf("%q is not in %s", part, *asked)
		}
	}
}

func TestBadAnswers(t *testing.T) {
	for name, body := range map[string]string{
		"nothing": "", "no completion": `{}`, "no choice": `{"choices": []}`, "prose": completion(t, "A password needs 12 characters."),
		"endless": `{"choices": "` + strings.Repeat("x", 2<<20) + `"}`,
	} {
		c, _ := served(t, http.StatusOK, body)
		if w, err := c.Word(t.Context(), material); err == nil {
			t.Errorf("%s: %+v", name, w)
		}
	}
	c, _ := served(t, http.StatusInternalServerError, "")
	if _, err := c.Word(t.Context(), material); err == nil || !strings.Contains(err.Error(), "500") {
		t.Errorf("%v", err)
	}
}

func TestNoAnswerInTime(t *testing.T) {
	held := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-held }))
	defer server.Close()
	defer close(held)
	c, err := chat.New(chat.Options{URL: server.URL, Model: "tiny", Timeout: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = c.Word(t.Context(), material); !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), server.URL) {
		t.Errorf("%v", err)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []chat.Options{{}, {URL: "http://a", Model: ""}, {URL: "ftp://a", Model: "m"}, {URL: "http://u:p@a", Model: "m"}, {URL: "://", Model: "m"}} {
		if _, err := chat.New(o); err == nil || strings.Contains(err.Error(), "u:p") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

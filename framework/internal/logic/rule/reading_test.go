package rule

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStatusOfAnAnswer(t *testing.T) {
	for line, want := range map[string]int{
		`return c.JSON(413, "too large")`: 413, "c.AbortWithStatus(http.StatusConflict)": 409, "res.status(404).end()": 404,
		`return JsonResponse({"error": "no"}, status=409)`: 409, "raise HTTPException(status_code=422)": 422,
		"w.WriteHeader(http.StatusTooManyRequests)": 0, "order.status = 'sent'": 0, "total(413, 2)": 0, "c.JSON(http.StatusOdd, x)": 0,
	} {
		if got := answeredWith(line); got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}

func TestLimitsThatFieldsAreDeclaredWith(t *testing.T) {
	for line, want := range map[string][]string{
		"    title = models.CharField(max_length=150)":                 {"title", "max_length", "150"},
		"    boxes: int = Field(..., ge=1)":                            {"boxes", "ge", "1"},
		"\tTitle string `json:\"title\" validate:\"required,max=40\"`": {"Title", "max", "40"},
		"  name: z.string().max(40),":                                  {"name", "max", "40"},
		"    rows = query(limit=3)":                                    nil,
	} {
		got := limitOf(line)
		if got != nil {
			got = got[1:]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", line, diff)
		}
	}
}

func TestLoanwordsLeadToAProgram(t *testing.T) {
	l := hear([]Source{{Path: "a.ts", text: "const BOUNCE_LIMIT = 3; const voucherTemplate = 'x'"}})
	tests := []struct{ word, want string }{{"バウンス", "bounc"}, {"テンプレート", "templat"}, {"バウンステンプレート", "bounc"}}
	for _, tt := range tests {
		if got := l.translate(Words{tt.word: true}); !got[tt.want] || got[tt.word] {
			t.Errorf("%s is led to %v", tt.word, got)
		}
	}
	if diff := cmp.Diff(Words{"サンプル": true, "注文": true}, l.translate(Words{"サンプル": true, "注文": true})); diff != "" {
		t.Error(diff)
	}
}

// Where no file is about what a specification says, none is near.
func TestNearFiles(t *testing.T) {
	wants := []Source{{Path: "trip.md", Topic: Read("boat harbour sailor anchor storm")}}
	has := []Source{{Path: "boat.go", Topic: Read("boat harbour anchor")}, {Path: "car.go", Topic: Read("car boat")}, {Path: "pie.go", Topic: Read("apple")}}
	s := newScale(append(has, wants...))
	near := s.homes(has, wants)
	if a, b, c := near[[2]string{"trip.md", "boat.go"}], near[[2]string{"trip.md", "car.go"}], near[[2]string{"trip.md", "pie.go"}]; a != 1 || b <= 0 || b >= .5 || c != 0 {
		t.Errorf("%v, %v, %v", a, b, c)
	}
	if near := s.homes(has[2:], wants); near[[2]string{"trip.md", "pie.go"}] != 0 {
		t.Errorf("%v", near)
	}
}

func TestExcess(t *testing.T) {
	for words, want := range map[string]int{
		"too many rows": 1, "枚数が多すぎる": 1, "上限を超えた": 1, "not enough stock": -1, "在庫が不足": -1, "too few and too many": 0, "not found": 0,
	} {
		if got := excess(words); got != want {
			t.Errorf("%s: %d", words, got)
		}
	}
}

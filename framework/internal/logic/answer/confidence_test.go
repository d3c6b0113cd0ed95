package answer_test

import (
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
)

func TestConfidence(t *testing.T) {
	tests := []struct {
		code, spec int
		mismatch   bool
		want       evidence.Score
	}{
		{0, 0, false, 0}, {0, 0, true, 0}, {1, 0, false, .6}, {2, 1, false, .75}, {3, 3, false, .95}, {9, 9, false, .95},
		{0, 2, false, .6}, {1, 1, true, .4}, {9, 9, true, .7}, {0, 1, true, .3},
	}
	for _, tt := range tests {
		if got := answer.Confidence(tt.code, tt.spec, tt.mismatch); got != tt.want {
			t.Errorf("%d code, %d spec, mismatch %t: %v, want %v", tt.code, tt.spec, tt.mismatch, got, tt.want)
		}
	}
}

package rerankhttp

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// API is an interface of a reranking service.
type API string

// The supported APIs.
const (
	Cohere API = "cohere" // POST /v2/rerank
	Jina   API = "jina"   // POST /v1/rerank
	TEI    API = "tei"    // POST /rerank of Text Embeddings Inference
	VLLM   API = "vllm"   // POST /rerank, /v1/rerank or /v2/rerank
)

// request returns the request body for some texts. All of them are to be scored, and no text returned.
func (a API) request(model, query string, texts []string) any {
	no := false
	switch a {
	case TEI:
		return struct {
			Query      string   `json:"query"`
			Texts      []string `json:"texts"`
			Truncate   bool     `json:"truncate"`
			ReturnText bool     `json:"return_text"`
		}{query, texts, true, false}
	case Jina:
		return listed{model, query, texts, len(texts), &no}
	default:
		return listed{model, query, texts, len(texts), nil}
	}
}

// listed is the request body that three of the four APIs share.
type listed struct {
	Model     string   `json:"model"`
	Query     string   `json:"query"`
	Documents []string `json:"documents"`
	TopN      int      `json:"top_n"`
	Return    *bool    `json:"return_documents,omitempty"`
}

// row is the score of a text in any of the APIs.
type row struct {
	Index     *int     `json:"index"`
	Score     *float64 `json:"score"`           // TEI
	Relevance *float64 `json:"relevance_score"` // the others
}

// decode reads an answer for n texts: one finite score for each, in the order of the texts. Errors are
// [remote.ErrAnswer] and contain nothing of the answer.
func (a API) decode(data []byte, n int) ([]float64, error) {
	var rows []row
	var err error
	if a == TEI {
		err = json.Unmarshal(data, &rows)
	} else {
		var in struct {
			Results []row `json:"results"`
		}
		err = json.Unmarshal(data, &in)
		rows = in.Results
	}
	if err != nil {
		return nil, fmt.Errorf("%w: no JSON of the expected form", remote.ErrAnswer)
	}
	if len(rows) != n {
		return nil, fmt.Errorf("%w: %d scores for %d texts", remote.ErrAnswer, len(rows), n)
	}
	out, seen := make([]float64, n), make([]bool, n)
	for _, r := range rows {
		score := r.Relevance
		if a == TEI {
			score = r.Score
		}
		if r.Index == nil || *r.Index < 0 || *r.Index >= n || seen[*r.Index] {
			return nil, fmt.Errorf("%w: a number that no text has, or one twice", remote.ErrAnswer)
		}
		if score == nil || math.IsNaN(*score) || math.IsInf(*score, 0) {
			return nil, fmt.Errorf("%w: a score that is no number", remote.ErrAnswer)
		}
		out[*r.Index], seen[*r.Index] = *score, true
	}
	return out, nil
}

// positive converts logits to probabilities. It recognises logits by a negative score, and leaves other scores
// unchanged.
func positive(scores []float64) {
	for _, s := range scores {
		if s < 0 {
			for i, x := range scores {
				scores[i] = 1 / (1 + math.Exp(-x))
			}
			return
		}
	}
}

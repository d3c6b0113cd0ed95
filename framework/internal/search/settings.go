package search

import (
	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// Settings are the weights, thresholds and limits of a search. The tags make some of them settings of the user, whose
// defaults are those of [DefaultSettings].
type Settings struct {
	Method fusion.Method
	// Weights override the strategies' own by name; 0 switches one off.
	Weights map[string]float64
	// CoverageWeight, HeadingWeight and TitleWeight scale the bonuses of fusion: for the share
	// of the query that a section covers, for a match in its headings, and for a title that
	// begins with a must term.
	CoverageWeight float64 `setting:"SPARSE_QUERY_COVERAGE_WEIGHT" guest:"" min:"0" max:"10" doc:"weight of query coverage in a score"`
	HeadingWeight  float64
	TitleWeight    float64
	// AnswerWeight is the weight of answering sentences in the order of the first sections, from 0 to 1.
	AnswerWeight float64
	// MatchThreshold is τ, the minimum coverage of a matched section.
	MatchThreshold float64
	// CandidateLow is the number of matched sections below which the filling strategies run and
	// the search expands.
	CandidateLow int     `setting:"ADAPTIVE_CANDIDATE_LOW_BASE" guest:"" min:"2" max:"6" doc:"candidates below which a search widens, to begin with"`
	FileBias     float64 `setting:"ADAPTIVE_FILE_BIAS_BASE" guest:"" min:"0.7" max:"0.9" doc:"share of the candidates in one file from which on a search widens, to begin with"`
	Corrective   Corrective
	// RerankTop is how many of the best sections the rerankers see; 0 disables reranking.
	RerankTop int `setting:"LATE_RERANK_TOP_N" guest:"" min:"1" max:"1000" doc:"candidates given to a reranker"`
}

// DefaultSettings returns the default settings.
func DefaultSettings() Settings {
	return Settings{
		Method: fusion.Weighted, CoverageWeight: 0.35, HeadingWeight: 0.05, TitleWeight: 0.5, AnswerWeight: 0.3,
		MatchThreshold: query.DefaultThreshold, CandidateLow: 3, RerankTop: 50,
		FileBias:   0.80,
		Corrective: Corrective{Enabled: true, CoverageMin: 0.90, MarginMin: 0.15, MinCandidates: 3, OnConflict: true},
	}
}

// Corrective configures when a search expands because of the quality of its result although it
// found enough sections.
type Corrective struct {
	Enabled bool `setting:"CORRECTIVE_ENABLED" guest:"" doc:"whether a weak answer makes a search widen"`
	// CoverageMin is the minimum share of the query's content, weighted by idf, that the best
	// candidates together must cover. A single section hardly ever covers so much of a question,
	// even if it answers it.
	CoverageMin float64 `setting:"CORRECTIVE_COVERAGE_MIN" guest:"" min:"0" max:"1" doc:"share of the query's terms that the best candidates must cover between them"`
	// MarginMin is the lead of the best section over the second, as a share of its score, from
	// which on neither coverage nor the number of candidates makes the search expand.
	MarginMin float64 `setting:"CORRECTIVE_MARGIN_MIN" guest:"" min:"0" max:"1" doc:"lead of the best candidate over the next, as a share of its score"`
	// MinCandidates is the minimum number of candidates without such a lead.
	MinCandidates int  `setting:"CORRECTIVE_MIN_CANDIDATES" guest:"" min:"0" max:"1000" doc:"candidates that make an answer"`
	OnConflict    bool `setting:"CORRECTIVE_ON_CONFLICT" guest:"" doc:"whether a contradiction makes a search widen"`
}

// Rerankers are the settings of the strategies that reorder the best candidates.
type Rerankers struct {
	// Enabled and Weight apply to laterank. Others have only enabled and weight of their table in a file.
	Enabled bool    `setting:"LATE_RERANK_ENABLED" strategy:"laterank" guest:"" default:"true" doc:"whether the strategy laterank orders the best candidates"`
	Weight  float64 `setting:"LATE_RERANK_WEIGHT" strategy:"laterank" guest:"" min:"0" max:"1" default:"0.45" doc:"what laterank counts beside the order it is given; 8/9 of it for a query without CJK characters"`

	// Settings of the service that the bundled strategy calls. The strategy reads them by name.
	ServiceURL string `setting:"RERANK_URL" arg:"URL" doc:"URL of a service that orders the best candidates, with its path; none when not given"`
	API        string `setting:"RERANK_API" enum:"cohere,jina,tei,vllm" default:"cohere" doc:"how that service is spoken to"`
	Model      string `setting:"RERANK_MODEL" doc:"that service's name of the model"`
	KeyEnv     string `setting:"RERANK_KEY_ENV" arg:"NAME" doc:"NAME of the environment variable that holds that service's key"`
	Batch      int    `setting:"RERANK_BATCH" min:"1" max:"1000" default:"32" doc:"texts that service is sent at once"`
	TimeoutMS  int    `setting:"RERANK_TIMEOUT_MS" min:"1" max:"600000" default:"1500" doc:"milliseconds that service gets per call, within STRATEGY_TIME_MS"`
	MaxChars   int    `setting:"RERANK_MAX_CHARS" min:"1" max:"100000" default:"2000" doc:"most characters of a section that service is sent"`
}

// Embeddings are the settings of the bundled strategy that compares vectors. It reads them by name.
type Embeddings struct {
	ServiceURL string `setting:"EMBED_URL" arg:"URL" doc:"URL of a service that embeds texts, up to and with /v1; none when not given"`
	Model      string `setting:"EMBED_MODEL" doc:"that service's name of the model"`
	KeyEnv     string `setting:"EMBED_KEY_ENV" arg:"NAME" doc:"NAME of the environment variable that holds that service's key"`
	Batch      int    `setting:"EMBED_BATCH" min:"1" max:"2048" default:"32" doc:"texts that service is sent at once"`
	TimeoutMS  int    `setting:"EMBED_TIMEOUT_MS" min:"1" max:"600000" default:"30000" doc:"milliseconds that service gets per call; for a query within STRATEGY_TIME_MS"`
	Dir        string `setting:"EMBED_DIR" kind:"path" arg:"DIR" doc:"DIR of a static model that embeds texts instead of a service"`
	MaxChars   int    `setting:"EMBED_MAX_CHARS" min:"100" max:"100000" default:"1200" doc:"most characters of a piece of a section that is embedded"`
	Query      string `setting:"EMBED_QUERY_PREFIX" doc:"text that the model expects before a query"`
	Document   string `setting:"EMBED_DOCUMENT_PREFIX" doc:"text that the model expects before a section"`
}

// Judges are the settings of the bundled judge, which calls a service; installed judges always run.
type Judges struct {
	ServiceURL string `setting:"JUDGE_URL" arg:"URL" doc:"URL of a service that judges the best sections, with its path; none when not given"`
	API        string `setting:"JUDGE_API" enum:"openai,tei" default:"openai" doc:"how that service is spoken to: chat completions, or a classifier of sentence pairs"`
	Model      string `setting:"JUDGE_MODEL" doc:"that service's name of the model"`
	KeyEnv     string `setting:"JUDGE_KEY_ENV" arg:"NAME" doc:"NAME of the environment variable that holds that service's key"`
	MaxChars   int    `setting:"JUDGE_MAX_CHARS" min:"1" max:"100000" default:"1500" doc:"most characters of a section that service is sent"`
}

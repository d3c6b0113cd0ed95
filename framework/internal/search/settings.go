package search

// Rerankers are the settings of the strategies that order the best candidates.
type Rerankers struct {
	// Enabled and Weight apply to the bundled reranker; installed ones always run.
	Enabled bool    `setting:"LATE_RERANK_ENABLED" strategy:"laterank" guest:"" default:"true" doc:"whether the bundled reranker orders the best candidates"`
	Weight  float64 `setting:"LATE_RERANK_WEIGHT" strategy:"laterank" guest:"" min:"0" max:"1" default:"0.45" doc:"what the bundled reranker counts beside the order it is given; 8/9 of it for a query without CJK characters"`

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

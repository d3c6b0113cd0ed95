package rerankhttp

import (
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// Config configures the service and limits requests to it.
type Config struct {
	URL       string `json:"url"`        // endpoint for POST requests, including its path
	API       API    `json:"api"`        // the default is [Cohere]
	Model     string `json:"model"`      // the service's name of the model; [TEI] needs none
	KeyEnv    string `json:"key_env"`    // environment variable with the key, or ""
	Batch     int    `json:"batch"`      // texts per call
	TimeoutMS int    `json:"timeout_ms"` // of a call
	Retries   int    `json:"retries"`    // of a call that failed for a temporary reason
	MaxChars  int    `json:"max_chars"`  // of a section that are sent
}

// defaults fit a cross-encoder of 512 tokens and a search of two seconds.
func defaults() Config {
	return Config{API: Cohere, Batch: 32, TimeoutMS: 1500, Retries: 2, MaxChars: 2000}
}

const schema = `{"type":"object","additionalProperties":false,"required":["url"],"properties":{
"url":{"type":"string"},"api":{"enum":["cohere","jina","tei","vllm"]},"model":{"type":"string"},"key_env":{"type":"string"},
"batch":{"type":"integer","minimum":1,"maximum":1000},"timeout_ms":{"type":"integer","minimum":1},
"retries":{"type":"integer","minimum":0,"maximum":10},"max_chars":{"type":"integer","minimum":1}}}`

// client returns a client of the configured service.
func (c *Config) client() (*remote.Client, error) {
	key, err := remote.Key(c.KeyEnv)
	if err != nil {
		return nil, err
	}
	return remote.New(remote.Options{
		URL: c.URL, Key: key, Timeout: time.Duration(c.TimeoutMS) * time.Millisecond,
		Retries: c.Retries, Wait: firstWait,
	})
}

// firstWait is the wait before the first retry. It is short because a user is waiting.
const firstWait = 100 * time.Millisecond

// Entry returns the strategy's entry, for programs that compile it in. It is active if RERANK_URL names a service,
// which grants a connection to its port and the variable of its key.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "rerankhttp", New: func() sdk.Strategy { return New() }, Launch: launch}
}

func launch(c sdk.Configuration) (sdk.Launch, error) {
	return remote.Launch(c, "rerankhttp", "RERANK", func(s remote.Settings) (any, error) {
		return Config{
			URL: s.Text("URL"), API: API(s.Text("API")), Model: s.Text("MODEL"), KeyEnv: s.Text("KEY_ENV"),
			Batch: s.Number("BATCH"), TimeoutMS: s.Number("TIMEOUT_MS"), Retries: defaults().Retries,
			MaxChars: s.Number("MAX_CHARS"),
		}, nil
	})
}

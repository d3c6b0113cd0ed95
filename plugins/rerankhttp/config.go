package rerankhttp

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// Config names the service and bounds what it is asked.
type Config struct {
	URL       string `json:"url"`        // what is posted to, with its path
	API       API    `json:"api"`        // by default [Cohere]
	Model     string `json:"model"`      // the service's name for it; [TEI] needs none
	KeyEnv    string `json:"key_env"`    // the environment variable that holds the key, "" for none
	Batch     int    `json:"batch"`      // texts a call
	TimeoutMS int    `json:"timeout_ms"` // of a call
	Retries   int    `json:"retries"`    // of a call that failed for a passing reason
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

// client is the service as configured.
func (c *Config) client() (*remote.Client, error) {
	key := ""
	if c.KeyEnv != "" {
		if key = os.Getenv(c.KeyEnv); key == "" {
			return nil, fmt.Errorf("the key's variable %s is not set", c.KeyEnv)
		}
	}
	return remote.New(remote.Options{
		URL: c.URL, Key: key, Timeout: time.Duration(c.TimeoutMS) * time.Millisecond,
		Retries: c.Retries, Wait: firstWait,
	})
}

// firstWait is the wait before the first retry: a searcher waits along.
const firstWait = 100 * time.Millisecond

// Entry is the strategy as a program compiles it in. It takes part when RERANK_URL names a
// service, which grants the connection to its port and the variable of its key.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "rerankhttp", New: func() sdk.Strategy { return New() }, Launch: launch}
}

func launch(c sdk.Configuration) (sdk.Launch, error) {
	if len(c.Table) > 0 {
		return sdk.Launch{}, errors.New(
			"strategies.rerankhttp.config: rerankhttp is configured by RERANK_URL and its kin")
	}
	if c.Setting("RERANK_URL") == "" {
		return sdk.Launch{Off: true}, nil
	}
	port, err := remote.Port(c.Setting("RERANK_URL"))
	if err != nil {
		return sdk.Launch{}, &sdk.SettingError{From: "RERANK_URL", Err: err}
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(c.Setting(name)) // the host has checked that it is one
		return n
	}
	config, err := json.Marshal(Config{
		URL: c.Setting("RERANK_URL"), API: API(c.Setting("RERANK_API")), Model: c.Setting("RERANK_MODEL"),
		KeyEnv: c.Setting("RERANK_KEY_ENV"), Batch: number("RERANK_BATCH"), TimeoutMS: number("RERANK_TIMEOUT_MS"),
		Retries: defaults().Retries, MaxChars: number("RERANK_MAX_CHARS"),
	})
	out := sdk.Launch{Config: config, Network: []sdk.Grant{{Value: "tcp:" + port, From: "RERANK_URL"}}}
	if key := c.Setting("RERANK_KEY_ENV"); key != "" {
		out.Env = []sdk.Grant{{Value: key, From: "RERANK_KEY_ENV"}}
	}
	return out, err
}

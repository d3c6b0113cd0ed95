package judgehttp

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

// API is a way to ask for a judgement.
type API string

// The ways that are spoken.
const (
	OpenAI API = "openai" // POST /v1/chat/completions
	TEI    API = "tei"    // POST /predict of Text Embeddings Inference
)

// Config names the service and bounds what it is asked.
type Config struct {
	URL       string `json:"url"`        // what is posted to, with its path
	API       API    `json:"api"`        // by default [OpenAI]
	Model     string `json:"model"`      // the service's name for it; [TEI] needs none
	KeyEnv    string `json:"key_env"`    // the environment variable that holds the key, "" for none
	TimeoutMS int    `json:"timeout_ms"` // of a call
	MaxChars  int    `json:"max_chars"`  // of a passage that are sent
}

// defaults fit a small language model.
func defaults() Config { return Config{API: OpenAI, TimeoutMS: 20_000, MaxChars: 1500} }

const schema = `{"type":"object","additionalProperties":false,"required":["url"],"properties":{
"url":{"type":"string"},"api":{"enum":["openai","tei"]},"model":{"type":"string"},"key_env":{"type":"string"},
"timeout_ms":{"type":"integer","minimum":1},"max_chars":{"type":"integer","minimum":1}}}`

// client is the service as configured. A call is not made again: a searcher waits along.
func (c *Config) client() (*remote.Client, error) {
	key := ""
	if c.KeyEnv != "" {
		if key = os.Getenv(c.KeyEnv); key == "" {
			return nil, fmt.Errorf("the key's variable %s is not set", c.KeyEnv)
		}
	}
	return remote.New(remote.Options{URL: c.URL, Key: key, Timeout: time.Duration(c.TimeoutMS) * time.Millisecond})
}

// Entry is the strategy as a program compiles it in. It takes part when JUDGE_URL names a
// service, which grants the connection to its port and the variable of its key.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "judgehttp", New: func() sdk.Strategy { return New() }, Launch: launch}
}

func launch(c sdk.Configuration) (sdk.Launch, error) {
	if len(c.Table) > 0 {
		return sdk.Launch{}, errors.New("strategies.judgehttp.config: judgehttp is configured by JUDGE_URL and its kin")
	}
	if c.Setting("JUDGE_URL") == "" {
		return sdk.Launch{Off: true}, nil
	}
	port, err := remote.Port(c.Setting("JUDGE_URL"))
	if err != nil {
		return sdk.Launch{}, &sdk.SettingError{From: "JUDGE_URL", Err: err}
	}
	api, model := API(c.Setting("JUDGE_API")), c.Setting("JUDGE_MODEL")
	if err := checkModel(api, model); err != nil {
		return sdk.Launch{}, &sdk.SettingError{From: "JUDGE_MODEL", Err: err}
	}
	number := func(name string) int {
		n, _ := strconv.Atoi(c.Setting(name)) // the host has checked that it is one
		return n
	}
	config, err := json.Marshal(Config{
		URL: c.Setting("JUDGE_URL"), API: api, Model: model, KeyEnv: c.Setting("JUDGE_KEY_ENV"),
		TimeoutMS: number("JUDGE_TIME_MS"), MaxChars: number("JUDGE_MAX_CHARS"),
	})
	out := sdk.Launch{Config: config, Network: []sdk.Grant{{Value: "tcp:" + port, From: "JUDGE_URL"}}}
	if key := c.Setting("JUDGE_KEY_ENV"); key != "" {
		out.Env = []sdk.Grant{{Value: key, From: "JUDGE_KEY_ENV"}}
	}
	return out, err
}

func checkModel(api API, model string) error {
	if model == "" && api == OpenAI {
		return errors.New("chat completions need the name of a model")
	}
	return nil
}

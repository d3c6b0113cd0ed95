package judgehttp

import (
	"errors"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// API is an interface of a judging service.
type API string

// The supported APIs.
const (
	OpenAI API = "openai" // POST /v1/chat/completions
	TEI    API = "tei"    // POST /predict of Text Embeddings Inference
)

// Config configures the service and limits requests to it.
type Config struct {
	URL       string `json:"url"`        // endpoint for POST requests, including its path
	API       API    `json:"api"`        // the default is [OpenAI]
	Model     string `json:"model"`      // the service's name of the model; [TEI] needs none
	KeyEnv    string `json:"key_env"`    // environment variable with the key, or ""
	TimeoutMS int    `json:"timeout_ms"` // of a call
	MaxChars  int    `json:"max_chars"`  // of a passage that are sent
}

// defaults fit a small language model.
func defaults() Config { return Config{API: OpenAI, TimeoutMS: 20_000, MaxChars: 1500} }

const schema = `{"type":"object","additionalProperties":false,"required":["url"],"properties":{
"url":{"type":"string"},"api":{"enum":["openai","tei"]},"model":{"type":"string"},"key_env":{"type":"string"},
"timeout_ms":{"type":"integer","minimum":1},"max_chars":{"type":"integer","minimum":1}}}`

// client returns a client of the configured service. It does not retry, since a user is waiting.
func (c *Config) client() (*remote.Client, error) {
	key, err := remote.Key(c.KeyEnv)
	if err != nil {
		return nil, err
	}
	return remote.New(remote.Options{URL: c.URL, Key: key, Timeout: time.Duration(c.TimeoutMS) * time.Millisecond})
}

// Entry returns the strategy's entry, for programs that compile it in. It is active if JUDGE_URL names a service, which
// grants a connection to its port and the variable of its key.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "judgehttp", New: func() sdk.Strategy { return New() }, Launch: launch}
}

func launch(c sdk.Configuration) (sdk.Launch, error) {
	return remote.Launch(c, "judgehttp", "JUDGE", func(s remote.Settings) (any, error) {
		api, model := API(s.Text("API")), s.Text("MODEL")
		if err := checkModel(api, model); err != nil {
			return nil, &sdk.SettingError{From: "JUDGE_MODEL", Err: err}
		}
		return Config{
			URL: s.Text("URL"), API: api, Model: model, KeyEnv: s.Text("KEY_ENV"),
			TimeoutMS: s.Number("TIME_MS"), MaxChars: s.Number("MAX_CHARS"),
		}, nil
	})
}

func checkModel(api API, model string) error {
	if model == "" && api == OpenAI {
		return errors.New("chat completions need the name of a model")
	}
	return nil
}

package rerankhttp

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// retries is how often a failed call is made again: a searcher waits along.
const retries = 2

// Entry is the strategy as a program compiles it in. It takes part when RERANK_URL names a
// service, which grants the connection to its port and the variable of its key.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "rerankhttp", New: func() sdk.Strategy { return New() }, Launch: launch}
}

func launch(c sdk.Configuration) (sdk.Launch, error) {
	if len(c.Table) > 0 {
		return sdk.Launch{}, errors.New("strategies.rerankhttp.config: rerankhttp is configured by RERANK_URL and its kin")
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
		Retries: retries, MaxChars: number("RERANK_MAX_CHARS"),
	})
	out := sdk.Launch{Config: config, Network: []sdk.Grant{{Value: "tcp:" + port, From: "RERANK_URL"}}}
	if key := c.Setting("RERANK_KEY_ENV"); key != "" {
		out.Env = []sdk.Grant{{Value: key, From: "RERANK_KEY_ENV"}}
	}
	return out, err
}

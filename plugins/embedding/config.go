package embedding

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
	"github.com/sagasu-search/sagasu/sdk/x/space"
)

const schema = `{"type":"object","additionalProperties":false,"anyOf":[{"required":["dir"]},{"required":["url"]}],"properties":{` +
	space.ConfigSchema + `}}`

// defaults fit models of 512 tokens.
func defaults() space.Config { return space.Config{Batch: 32, TimeoutMS: 30000, MaxChars: 1200} }

// Entry returns the strategy's entry, for programs that compile it in. It is active if EMBED_URL names a service, which
// grants a connection to its port and the variable of its key, or if EMBED_DIR names a folder, which it may read.
func Entry() sdk.Entry {
	return sdk.Entry{
		Name: "embedding", New: func() sdk.Strategy { return New() }, Launch: launch, Stored: stored,
	}
}

func launch(c sdk.Configuration) (sdk.Launch, error) {
	dir := c.Setting("EMBED_DIR")
	config := func(s remote.Settings) (any, error) {
		return space.Config{
			Dir: dir, URL: s.Text("URL"), Model: s.Text("MODEL"), KeyEnv: s.Text("KEY_ENV"),
			Batch: s.Number("BATCH"), TimeoutMS: s.Number("TIMEOUT_MS"), MaxChars: s.Number("MAX_CHARS"),
			Query: s.Text("QUERY_PREFIX"), Document: s.Text("DOCUMENT_PREFIX"),
		}, nil
	}
	out, err := remote.Launch(c, "embedding", "EMBED", config)
	if err != nil || dir == "" {
		return out, err
	}
	if !out.Off {
		err = errors.New("EMBED_URL is given too; one of both makes the vectors")
		return out, &sdk.SettingError{From: "EMBED_DIR", Err: err}
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", dir)
	}
	if err != nil {
		return out, &sdk.SettingError{From: "EMBED_DIR", Err: err}
	}
	out = sdk.Launch{Reads: []sdk.Grant{{Value: dir, From: "EMBED_DIR"}}}
	made, err := config(remote.Settings{Prefix: "EMBED", Of: c})
	if err == nil {
		out.Config, err = json.Marshal(made)
	}
	return out, err
}

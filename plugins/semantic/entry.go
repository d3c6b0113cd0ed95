package semantic

import (
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// Entry is the strategy as a program compiles it in. When the user's configuration names a
// service for embeddings, it may connect to the service's port and see the variable of its key.
func Entry() sdk.Entry {
	return sdk.Entry{
		Name: "semantic", New: func() sdk.Strategy { return New() },
		UserOnly: []string{"embedding"}, Launch: launch,
	}
}

func launch(c sdk.Configuration) (out sdk.Launch, err error) {
	service, named := c.Table["embedding"].(map[string]any)
	if !named {
		return out, nil
	}
	target, _ := service["url"].(string)
	port, err := remote.Port(target)
	if err != nil {
		return out, &sdk.SettingError{From: "embedding.url", Err: err}
	}
	out.Network = []sdk.Grant{{Value: "tcp:" + port, From: "embedding.url"}}
	if key, _ := service["key_env"].(string); key != "" {
		out.Env = []sdk.Grant{{Value: key, From: "embedding.key_env"}}
	}
	return out, nil
}

package remote

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/sagasu-search/sagasu/sdk"
)

// Settings reads the settings of a strategy that calls a service: those that begin with Prefix, such as RERANK_URL and
// RERANK_KEY_ENV for RERANK.
type Settings struct {
	Prefix string
	Of     sdk.Configuration
}

// Text returns a setting, or "" if it is not set.
func (s Settings) Text(name string) string { return s.Of.Setting(s.Prefix + "_" + name) }

// Number returns a numeric setting. The host has checked that it is a number.
func (s Settings) Number(name string) int {
	n, _ := strconv.Atoi(s.Text(name))
	return n
}

// Launch returns how to start a strategy that calls the service at <prefix>_URL. If the URL is not set, it does not
// start. Otherwise it gets the configuration from config, the service's port, and the variable named by
// <prefix>_KEY_ENV. Launch fails for a table in a configuration file, since there a workspace could name a service.
func Launch(c sdk.Configuration, strategy, prefix string, config func(Settings) (any, error)) (sdk.Launch, error) {
	if len(c.Table) > 0 {
		return sdk.Launch{}, fmt.Errorf("strategies.%s.config: %[1]s is configured by %s_URL and its kin",
			strategy, prefix)
	}
	s := Settings{prefix, c}
	if s.Text("URL") == "" {
		return sdk.Launch{Off: true}, nil
	}
	port, err := Port(s.Text("URL"))
	if err != nil {
		return sdk.Launch{}, &sdk.SettingError{From: prefix + "_URL", Err: err}
	}
	made, err := config(s)
	if err != nil {
		return sdk.Launch{}, err
	}
	encoded, err := json.Marshal(made)
	out := sdk.Launch{Config: encoded, Network: []sdk.Grant{{Value: "tcp:" + port, From: prefix + "_URL"}}}
	if key := s.Text("KEY_ENV"); key != "" {
		out.Env = []sdk.Grant{{Value: key, From: prefix + "_KEY_ENV"}}
	}
	return out, err
}

// Key returns the key in an environment variable, or "" if env is "". It fails if the variable is not set.
func Key(env string) (string, error) {
	if env == "" {
		return "", nil
	}
	key := os.Getenv(env)
	if key == "" {
		return "", fmt.Errorf("the key's variable %s is not set", env)
	}
	return key, nil
}

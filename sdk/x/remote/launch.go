package remote

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/sagasu-search/sagasu/sdk"
)

// Settings reads the settings of a strategy that asks a service: those whose names begin with Prefix, such as
// RERANK_URL and RERANK_KEY_ENV of RERANK.
type Settings struct {
	Prefix string
	Of     sdk.Configuration
}

// Text returns a setting, "" where it is not set.
func (s Settings) Text(name string) string { return s.Of.Setting(s.Prefix + "_" + name) }

// Number returns a setting whose type is a number; the host has checked that it is one.
func (s Settings) Number(name string) int {
	n, _ := strconv.Atoi(s.Text(name))
	return n
}

// Launch returns how a strategy that asks the service at <prefix>_URL starts: not at all where that is not set, else
// with the configuration that config makes, its port, and the variable named by <prefix>_KEY_ENV. It fails for a
// table in a configuration file, since there a workspace could name a service.
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

// Key returns the key in a variable of the environment, "" where none is named. It fails when the variable is not set.
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

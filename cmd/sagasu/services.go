package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/sagasu-search/sagasu/framework/host"
	"github.com/sagasu-search/sagasu/plugins/rerankhttp"
	"github.com/sagasu-search/sagasu/sdk/remote"
)

// serviceEntries are the strategies whose service the user's configuration names. To name
// one grants the connection to its port and the variable of its key.
func (a *app) serviceEntries() ([]host.Entry, error) {
	w := a.workspace
	if len(w.Strategies["rerankhttp"].Config) > 0 {
		return nil, usageError{errors.New("strategies.rerankhttp.config: rerankhttp is configured by RERANK_URL and its kin")}
	}
	if w.RerankURL == "" || !a.enabled("rerankhttp") {
		return nil, nil
	}
	port, err := portOf(w.RerankURL)
	if err != nil {
		return nil, usageError{fmt.Errorf("RERANK_URL (from %s): %w", w.Origin("RERANK_URL"), err)}
	}
	config, err := json.Marshal(rerankhttp.Config{
		URL: w.RerankURL, API: rerankhttp.API(w.RerankAPI), Model: w.RerankModel, KeyEnv: w.RerankKeyEnv,
		Batch: w.RerankBatch, TimeoutMS: w.RerankTimeoutMS, Retries: rerankRetries, MaxChars: w.RerankMaxChars,
	})
	e := host.Entry{Name: "rerankhttp", Config: config, Network: []string{"tcp:" + port}}
	if w.RerankKeyEnv != "" {
		e.Env = []string{w.RerankKeyEnv}
	}
	return []host.Entry{e}, err
}

// rerankRetries is how often a failed call is made again: a searcher waits along.
const rerankRetries = 2

// portOf is the port that a URL connects to. The error does not repeat the URL, which may
// hold a secret.
func portOf(service string) (string, error) {
	u, err := url.Parse(service)
	if err == nil && u.Host != "" && u.User == nil {
		if port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]); port != "" {
			return port, nil
		}
	}
	return "", remote.ErrURL
}

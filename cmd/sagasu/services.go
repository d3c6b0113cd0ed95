package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"

	"github.com/sagasu-search/sagasu/framework/host"
	"github.com/sagasu-search/sagasu/plugins/rerankhttp"
	"github.com/sagasu-search/sagasu/sdk"
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
	e := host.Entry{Name: "rerankhttp", Config: config, Network: []string{"tcp:" + port}, Stage: sdk.StageRerank}
	if w.RerankKeyEnv != "" {
		e.Env = []string{w.RerankKeyEnv}
	}
	if err := host.CheckGrants(nil, e.Env); err != nil {
		return nil, usageError{fmt.Errorf("RERANK_KEY_ENV (from %s): %w", w.Origin("RERANK_KEY_ENV"), err)}
	}
	return []host.Entry{e}, err
}

// embeddingRights are what semantic may do when the user's configuration names a service
// that makes its vectors. A workspace's own file, which may come from a stranger, may not.
func (a *app) embeddingRights(e *host.Entry) error {
	service, named := a.workspace.Strategies[e.Name].Config["embedding"].(map[string]any)
	if e.Name != "semantic" || !named {
		return nil
	}
	origin, guest := a.workspace.ConfigOrigin(e.Name, "embedding")
	if guest {
		return usageError{fmt.Errorf("%s: a workspace's own file may not name a service for embeddings; do so in the user's configuration file", origin)}
	}
	target, _ := service["url"].(string)
	port, err := portOf(target)
	if err != nil {
		return usageError{fmt.Errorf("%s: strategies.semantic.config.embedding.url: %w", origin, err)}
	}
	e.Network = []string{"tcp:" + port}
	if key, _ := service["key_env"].(string); key != "" {
		e.Env = []string{key}
	}
	if err := host.CheckGrants(nil, e.Env); err != nil {
		return usageError{fmt.Errorf("%s: strategies.semantic.config.embedding.key_env: %w", origin, err)}
	}
	return nil
}

// rerankRetries is how often a failed call is made again: a searcher waits along.
const rerankRetries = 2

// portOf is the port that a URL connects to. The error does not repeat the URL, which may
// hold a secret.
func portOf(service string) (string, error) {
	u, err := url.Parse(service)
	if err == nil && u.Host != "" && u.User == nil {
		port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
		if host.CheckGrants([]string{"tcp:" + port}, nil) == nil {
			return port, nil
		}
	}
	return "", remote.ErrURL
}

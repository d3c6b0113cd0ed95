package app

import (
	"fmt"
	"io"
	"time"

	"github.com/VictoriaMetrics/metrics"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search/semcache"
)

// WriteMetrics writes metrics in the Prometheus text format: calls, strategies, the cache of searches and the age of
// the index.
func (a *App) WriteMetrics(w io.Writer) {
	a.Tools.WriteMetrics(w)
	set := metrics.NewSet()
	put := func(value float64, name string, labels ...any) {
		set.GetOrCreateGauge(fmt.Sprintf("sagasu_"+name, labels...), nil).Set(value)
	}
	for _, s := range a.Host.Status() {
		if s.State != host.StateStopped { // a strategy that nothing has needed is not down
			put(map[bool]float64{true: 1}[s.State == host.StateRunning], "strategy_up{strategy=%q}", s.Name)
		}
		put(float64(s.Restarts), "strategy_restarts_total{strategy=%q}", s.Name)
		put(s.P50.Seconds(), `strategy_duration_seconds{strategy=%q,quantile="0.5"}`, s.Name)
		put(s.Took.Seconds(), "strategy_duration_seconds_sum{strategy=%q}", s.Name)
		put(float64(s.Calls), "strategy_duration_seconds_count{strategy=%q}", s.Name)
	}
	if m := Module[*manuals.Module](a); m != nil {
		counts := m.CacheCounts()
		for _, mode := range []semcache.Mode{semcache.Exact, semcache.Semantic, semcache.Miss, semcache.Revalidate} {
			put(float64(counts[mode]), "cache_lookups_total{outcome=%q}", mode)
		}
		if at := m.Index().Published(); !at.IsZero() {
			put(time.Since(at).Seconds(), "index_age_seconds")
		}
	}
	set.WritePrometheus(w)
}

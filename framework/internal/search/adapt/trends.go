package adapt

import (
	"slices"
	"time"
)

// Trends summarise rows. Rates are in [0, 1].
type Trends struct {
	Totals
	// Days are the days with rows, in UTC, oldest first.
	Days []Day `json:"days"`
	// Thresholds holds the thresholds of the first row and every later change.
	Thresholds []Change `json:"thresholds"`
}

// Totals sums up a number of rows.
type Totals struct {
	Count int `json:"count"`
	// CacheHitRate is the share of hits among the searches that used the cache.
	CacheHitRate float64 `json:"cache_hit_rate"`
	// Recall is the mean proxy of the searches whose refs were used, null
	// without any; RecallCount is their number.
	Recall       *float64 `json:"recall_proxy"`
	RecallCount  int      `json:"recall_count"`
	CutoffRate   float64  `json:"cutoff_rate"`
	ExpandedRate float64  `json:"expanded_rate"`
	// EstTokens and ElapsedMS are means per search.
	EstTokens float64 `json:"est_tokens"`
	ElapsedMS float64 `json:"elapsed_ms"`
	// LatencySavedMS is the sum.
	LatencySavedMS int64 `json:"latency_saved_ms"`
}

// Day holds one day's totals and the thresholds of its last row.
type Day struct {
	Date string `json:"date"` // YYYY-MM-DD
	Totals
	Thresholds
}

// Change is the time from which thresholds were in force.
type Change struct {
	Time time.Time `json:"time"`
	Thresholds
}

// TrendsOf sums up rows in the order in which they were written. Processes append a row when its trace ends, so a day
// may begin before the last row of the previous one.
func TrendsOf(rows []Row) Trends {
	t := Trends{Totals: totals(rows), Days: []Day{}, Thresholds: []Change{}}
	byDate := make(map[string][]Row)
	var dates []string
	for _, r := range rows {
		date := time.Unix(r.Time, 0).UTC().Format(time.DateOnly)
		if byDate[date] == nil {
			dates = append(dates, date)
		}
		byDate[date] = append(byDate[date], r)
		if n := len(t.Thresholds); n == 0 || t.Thresholds[n-1].Thresholds != r.Thresholds {
			t.Thresholds = append(t.Thresholds, Change{time.Unix(r.Time, 0).UTC(), r.Thresholds})
		}
	}
	slices.Sort(dates)
	for _, date := range dates {
		of := byDate[date]
		t.Days = append(t.Days, Day{date, totals(of), of[len(of)-1].Thresholds})
	}
	return t
}

func totals(rows []Row) Totals {
	f := Totals{Count: len(rows)}
	var asked, hits, cutoffs, expanded, tokens, elapsed, recall float64
	for _, r := range rows {
		asked += one(r.CacheMode != "" && r.CacheMode != "bypass")
		hits += one(r.CacheHit)
		cutoffs += one(r.CutoffReason != "")
		expanded += one(r.Expanded)
		tokens += float64(r.EstTokens)
		elapsed += float64(r.ElapsedMS)
		f.LatencySavedMS += r.LatencySavedMS
		if r.Used > 0 {
			f.RecallCount++
			recall += float64(r.Recalled) / float64(r.Used)
		}
	}
	all := float64(max(1, len(rows)))
	f.CutoffRate, f.ExpandedRate, f.EstTokens, f.ElapsedMS = cutoffs/all, expanded/all, tokens/all, elapsed/all
	f.CacheHitRate = hits / max(1, asked)
	if f.RecallCount > 0 {
		recall /= float64(f.RecallCount)
		f.Recall = &recall
	}
	return f
}

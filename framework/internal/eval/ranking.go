package eval

// without gives the ranking without the sections of excluded files.
func without(ranking, excluded []Target) []Target {
	files := make(map[string]bool)
	for _, x := range excluded {
		files[x.file()] = true
	}
	out := []Target{}
	for _, t := range ranking {
		if !files[t.file()] {
			out = append(out, t)
		}
	}
	return out
}

// unique keeps the first target of each key.
func unique(targets []Target, key func(Target) string) []Target {
	out := []Target{}
	seen := make(map[string]bool)
	for _, t := range targets {
		if k := key(t); !seen[k] {
			seen[k] = true
			out = append(out, t)
		}
	}
	return out
}

// keys maps a ranking to distinct keys, each at its best rank.
func keys(ranking []Target, key func(Target) string) []string {
	distinct := unique(ranking, key)
	out := make([]string, len(distinct))
	for i, t := range distinct {
		out[i] = key(t)
	}
	return out
}

// grades maps each key to its best grade.
func grades(targets []Target, key func(Target) string) map[string]float64 {
	out := make(map[string]float64)
	for _, t := range targets {
		out[key(t)] = max(out[key(t)], t.Grade)
	}
	return out
}

package publication

import "slices"

// CitingKeyword returns the keyword of the publications that cite a number; kind codes do not matter.
func CitingKeyword(number string) string { return "cites:" + ParseNumber(number).Key() }

// PriorityKeywords returns a keyword for each application whose priority the publication claims or, where it claims
// none, for its own application. Publications with the same ones are a simple family.
func (p *Publication) PriorityKeywords() (keys []string) {
	applications := p.Priorities
	if len(applications) == 0 {
		applications = slices.DeleteFunc([]string{p.AppID, p.AppDocID}, func(s string) bool { return s == "" })
		applications = applications[:min(1, len(applications))]
	}
	for _, application := range applications {
		keys = append(keys, "priority:"+ParseNumber(application).Key())
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

package judge

// denyingLead gives the sentence that introduces the list of which a sentence is an
// item, if it denies or excludes what the list names; "" for none. Without it the item
// would say the opposite.
func (r *reader) denyingLead(i int) string {
	if !r.sentences[i].item {
		return ""
	}
	k := i
	for k > 0 && r.sentences[k].item && r.sentences[k-1].evidence == r.sentences[i].evidence {
		k--
	}
	lead := &r.sentences[k]
	if lead.item || !lead.leads() || !lead.has(denialsJa) && !lead.has(denialsEn) && !lead.has(excluding) {
		return ""
	}
	return lead.source
}

// excluding says that what follows is left out.
var excluding = cues("除外", "を除", "免責", "exclu", "except", "we do not ", "not covered")

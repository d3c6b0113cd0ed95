package conformance

import "context"

// Rule is a rule that every strategy must follow.
type Rule struct {
	ID   string // a word or two, such as "unique"
	Text string // the rule as a sentence
	Why  string // what happens to users if it is broken

	check func(*Suite, context.Context) error
}

// Rules returns all rules, in the best order to check them.
func Rules() []Rule {
	return []Rule{
		{"description", "Describe gives a name, a version, a stage, signals and a weight that are valid, and the " +
			"same every time.",
			"The host starts no strategy whose description is not valid, and shows and fuses by what it " +
				"says.", (*Suite).description},
		{"config", "The configuration fits the schema of the description, and what is configured is accepted.",
			"A workspace's settings are checked against the schema; a strategy that refuses what fits does not " +
				"start.", (*Suite).config},
		{"answers", "Every ordinary query gets a result, in English and in Japanese.",
			"A query that gets an error is answered without this strategy, with a warning.", broken(rulesAnswer)},
		{"scores", "Scores are finite and at least 0, coverage and confidence between 0 and 1.",
			"The host refuses the whole result: a NaN or an infinite score would decide every " +
				"ranking.", broken(rulesScore)},
		{"sections", "Candidates are live sections of the scope, and of a reranker sections of the pool.",
			"An id from elsewhere would show a user a text that was not asked for, or none; the host refuses the " +
				"whole result.", broken(rulesSection)},
		{"unique", "Each section is proposed once.",
			"A section that comes twice would count twice; the host refuses the whole result.", broken(rulesUnique)},
		{"limit", "There are no more candidates than the limit, whatever the limit.",
			"The host refuses a flood as a whole.", broken(rulesLimit)},
		{"signals", "Candidates carry only signals that the description declares, and a few terms.",
			"Signals decide what becomes a candidate; the host refuses a result with others.", broken(rulesSignals)},
		{"quotes", "A judge quotes its passages to the letter, with probabilities from 0 to 1, and proposes no " +
			"sections; nobody else judges.",
			"What is quoted is shown as the manual's own words; the host refuses the whole " +
				"result.", broken(rulesQuotes)},
		{"gathers", "A gatherer returns sections that are well formed, each once and no more than asked for, or " +
			"refuses in good order; it proposes none in a search.",
			"The host makes a snapshot of what was gathered, and refuses the whole answer.", (*Suite).gathers},
		{"extent", "What matched lies in the scope, no more was examined than there is, and warnings are few lines.",
			"Agents are told by these figures what has not been searched yet.", extent},
		{"order", "Candidates come best first.",
			"Where a list is cut, its end is cut off.", (*Suite).order},
		{"deterministic", "The same request gets the same answer, also from a new process.",
			"Answers are remembered and compared; one that changes by itself cannot be measured or " +
				"trusted.", (*Suite).deterministic},
		{"queries", "Any query is answered or refused in good order: empty, huge, control characters, invalid UTF-8.",
			"Agents paste what they have; a strategy that dies of it is started again and again and then left " +
				"out.", (*Suite).queries},
		{"panic", "No request makes it panic, and what went wrong once harms no later call.",
			"The sdk contains a panic of the calling goroutine at the cost of the query; in any other it ends the " +
				"process.", (*Suite).rare},
		{"corpora", "Every kind of corpus that the description names can be searched, also one without sections.",
			"The host calls it for each of them; a new workspace is empty.", (*Suite).kinds},
		{"large", "Messages over 4 MiB are taken.",
			"That is the usual limit of gRPC, and less than the scope of a large corpus.", (*Suite).large},
		{"concurrent", "Calls side by side get the answers that they get one by one.",
			"The host calls from several goroutines at once: several agents share one process.", (*Suite).concurrent},
		{"lives", "It can be started, opened, searched and closed again and again.",
			"The host stops what is idle and starts it on the next need.", (*Suite).restarts},
		{"snapshots", "When a snapshot is published, searches on the new one see it and those on the old one do not.",
			"Manuals change while searches run; ids of the old snapshot lead to other sections in the new " +
				"one.", (*Suite).snapshots},
		{"cancel", "A search that is cancelled ends within 100 ms.",
			"A search that nobody waits for takes the processor from those that somebody waits for.", (*Suite).cancel},
		{"deadline", "A search ends at its deadline, with what it has found or with an error.",
			"The user waits for the slowest strategy; one that is late is left out, and in the end " +
				"suspended.", (*Suite).deadline},
	}
}

// Check returns how a rule is broken, or nil.
func (e *Suite) Check(ctx context.Context, r Rule) error { return r.check(e, ctx) }

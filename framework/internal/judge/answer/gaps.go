package answer

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Gap is something that a query asks for and no section has.
type Gap struct {
	// Facet names the form of answer that is missing: period, amount, limit, weight, size, contact, place, person,
	// reason, procedure, exceptions or eligibility; "" if terms are missing.
	Facet string
	// Terms are the missing terms, as the query writes them but in lower case; none of a facet.
	Terms []string
	// Probability that it is a gap.
	Probability float64
}

// mayBeGap reports whether texts that give the facet can be recognised by their form. Dates have too many forms, any
// name may be a person, and 何 before a noun that is not a known counter asks which one, not how many.
func (f *facet) mayBeGap() bool { return f.name != "date" && f.name != "person" && !f.counter }

// facetFeatures are the names of the features for a missing facet.
var facetFeatures = []string{"mass", "context", "place"}

// facetOf returns the features of a facet: the probability that a unit which gives it is the one that answers, and the
// largest share of the query that such a unit holds with what is around it.
func (r *reading) facetOf(n int, c *choice) []float64 {
	mass, context := 0.0, 0.0
	for i := range r.units {
		if u := &r.units[i]; !u.mute && u.gives>>n&1 != 0 {
			mass += math.Exp(c.z[i]-c.z[c.unit]) * c.probability
			context = max(context, r.share(u.own|u.over|u.near|r.sections[u.section].title, r.content))
		}
	}
	return []float64{mass, context, oneIf(r.facets[n].name == "place")}
}

// missingFeatures are the names of the features that decide whether a term which no text has is a gap, or just another
// word for something in the texts.
var missingFeatures = []string{"english", "share", "part", "right", "compound", "verb", "kanji", "foreign"}

// missingOf returns the features of a term that no text has. right is the probability that the best unit answers.
func (r *reading) missingOf(n int, right float64) []float64 {
	t := &r.asked[n]
	thing, compound := t.tokens, false
	for i := range r.asked {
		o := &r.asked[i]
		compound = compound || o.held && strings.Contains(r.query, t.Text+o.Text)
		if !o.held && o.specific && (r.beside(t, o) || r.beside(o, t)) {
			thing |= o.tokens
		}
	}
	english := !text.HasCJK(r.query)
	foreign := !english && isLatin(rune(t.Text[0])) // the name of a product, which has no other word
	return []float64{
		oneIf(english), r.share(thing, r.content), r.part(t),
		right, oneIf(compound), oneIf(r.verb(t)), r.kanji(t), oneIf(foreign),
	}
}

// part returns the share of a term's tokens that the sections have, or 1 if they have a part of the term with a
// hyphen, or the word of a name and a number that the plan joined: December of December 25.
func (r *reading) part(t *term) float64 {
	var all set
	name := t.Text
	if t.Kind == sdk.TermMust {
		name = text.Fold(r.written(name))
	}
	for i := range r.sections {
		all |= r.sections[i].all
		for w := range strings.FieldsFuncSeq(name, func(c rune) bool { return c == '-' || c == ' ' }) {
			if x := (term{Term: sdk.Term{Text: w}}); len(w) >= shortWord && len(w) < len(t.Text) && r.writes(i, &x) {
				return 1
			}
		}
	}
	return r.share(t.tokens&all, t.tokens)
}

// mostlyMissing reports whether the texts have less than half of a term. They often have the parts of a compound
// separately.
func (r *reading) mostlyMissing(t *term) bool {
	return r.part(t) < 0.5 || !strings.ContainsFunc(t.Text, func(c rune) bool { return !isKatakana(c) })
}

// written returns a term as the query writes it, or t itself if the query is long.
func (r *reading) written(t string) string {
	raw := []rune(r.in.Query.Raw)
	most := utf8.RuneCountInString(t) + addedRunes
	if len(raw)*most > mostParts {
		return t
	}
	for i := range raw {
		for n := min(most, len(raw)-i); n > 0; n-- {
			s := strings.TrimSpace(string(raw[i : i+n]))
			if form := text.Skeleton(text.Fold(s)); form == t || strings.ReplaceAll(form, " ", "") == t {
				return s
			}
		}
	}
	return t
}

// mostParts is the maximum number of parts of the query that are compared with a term, each of which is normalised.
const mostParts = 1 << 13

// addedRunes is the maximum number of characters (okurigana and long vowels) that normalisation drops from a word.
const addedRunes = 4

// beside reports whether term b directly follows term a in the query.
func (r *reading) beside(a, b *term) bool {
	return strings.Contains(r.query, a.Text+" "+b.Text) || strings.Contains(r.query, a.Text+b.Text)
}

// subjects are words that an English verb may follow.
var subjects = []string{
	" i ", " you ", " we ", " they ", " it ", " to ", " can ", " must ", " should ", " not ", " is ", " are ", " be ",
	" being ", " been ", " was ",
}

// nonNounEndings lists endings of English verbs, adverbs and adjectives.
var nonNounEndings = []string{"ed", "ly", "able", "ible", "ful", "less", "ous", "est"}

// verb reports whether a term is an English verb, adverb or adjective, by its ending or the word before it. Texts
// often use other words for these.
func (r *reading) verb(t *term) bool {
	before, _, _ := strings.Cut(r.query, t.Text)
	ends := func(s string) func(string) bool { return func(e string) bool { return strings.HasSuffix(s, e) } }
	return isLatin(rune(t.Text[0])) &&
		(slices.ContainsFunc(nonNounEndings, ends(t.Text)) || slices.ContainsFunc(subjects, ends(" "+before)))
}

// kanji returns the share of a term's kanji that the sections have, or 0 if it has no kanji. Synonyms often
// share kanji.
func (r *reading) kanji(t *term) float64 {
	held, all := 0, 0
	for _, c := range t.Text {
		if !unicode.Is(unicode.Han, c) {
			continue
		}
		all++
		held += int(oneIf(r.writesRune(c)))
	}
	return float64(held) / float64(max(1, all))
}

// writesRune reports whether a section holds a character.
func (r *reading) writesRune(c rune) bool {
	for i := range r.sections {
		if strings.ContainsRune(r.sections[i].heading, c) {
			return true
		}
	}
	for i := range r.units {
		if strings.ContainsRune(r.units[i].norm, c) {
			return true
		}
	}
	return false
}

// missing returns the probability that a term is a gap: 0 if a text has it or it carries no meaning, 1 for a code.
func (r *reading) missing(m *model, n int, right float64) float64 {
	t := &r.asked[n]
	asWritten := strings.Contains(text.Fold(r.in.Query.Raw), t.Text) // "ages 20-40" is not a code
	code := asWritten && t.Kind == sdk.TermMust &&
		strings.ContainsAny(t.Text, "0123456789") && strings.ContainsFunc(t.Text, isLatin)
	switch {
	case t.held || !t.specific && !code, strings.Trim(t.Text, "0123456789.,") == "": // texts give ranges
		return 0
	case code:
		return 1
	}
	return m.probability(r.missingOf(n, right))
}

// absences holds the probabilities that terms and facets of the query are gaps.
type absences struct {
	terms, facets []float64 // in their order
	most          float64   // of all
	meant         []string  // spellings of the corpus for words that it lacks
	unheld        []string  // terms that no text has, except these words
}

// absent finds what no text gives. right is the probability that the best unit answers.
func (r *reading) absent(m *fitted, c *choice, right float64) (l absences) {
	if len(r.sections) == 0 {
		return l // without results it is unknown what is missing
	}
	for n := range r.asked {
		p := r.missing(&m.Missing, n, right)
		if t := &r.asked[n]; !t.found { // found, because a misspelt word begins like the right one
			if meant, ok := r.nearest(t.Text); ok {
				l.meant, p = append(l.meant, meant), 0
			} else if !t.held && t.specific && r.mostlyMissing(t) && !slices.Contains(r.in.Found, t.Text) &&
				!slices.Contains(l.meant, t.Text) {
				l.unheld = append(l.unheld, r.written(t.Text))
			}
		}
		l.terms, l.most = append(l.terms, p), max(l.most, p)
	}
	for n, f := range r.facets {
		p := 0.0
		if f.mayBeGap() {
			p = m.Facet.probability(r.facetOf(n, c))
		}
		l.facets, l.most = append(l.facets, p), max(l.most, p)
	}
	return l
}

func (r *reading) nearest(word string) (string, bool) {
	if r.in.Nearest == nil {
		return "", false
	}
	return r.in.Nearest(word)
}

// gaps adds the gaps to the judgement: one for all missing terms, and one for each missing facet.
func (r *reading) gaps(l *absences, out *Judgement) {
	out.DidYouMean, out.Missing = l.meant, l.unheld
	terms := Gap{}
	for n, p := range l.terms {
		if p < leastMissing {
			continue
		}
		if name := strings.ToLower(r.written(r.asked[n].Text)); !slices.Contains(terms.Terms, name) {
			terms.Terms, terms.Probability = append(terms.Terms, name), max(terms.Probability, p)
		}
	}
	if len(terms.Terms) > 0 {
		out.Gaps = append(out.Gaps, terms)
		return // if the subject is missing, so is what is asked about it
	}
	for n, p := range l.facets {
		name := r.facets[n].name
		told := slices.ContainsFunc(out.Gaps, func(g Gap) bool { return g.Facet == name })
		if p >= leastFacet && !told {
			out.Gaps = append(out.Gaps, Gap{Facet: name, Probability: p})
		}
	}
}

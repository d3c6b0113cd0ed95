package lane

import (
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// lints warn of a search that will not find what its caller thinks.
func (e *Engine) lints(s *search, v index.View) (warnings []string) {
	if n := len(v.Lacking); n > 0 {
		warnings = append(warnings, fmt.Sprintf("the collection is still being indexed, files to come: %d; search again later", n))
	}
	if s.request.contradicts() {
		warnings = append(warnings, fmt.Sprintf("lane_name %q is kept as a name, though it begins with another type: this is a %s lane", s.request.LaneName, s.request.Lane))
	}
	lints := patentquery.CheckSemantic(s.request.Text)
	if s.node != nil {
		lints = patentquery.Check(s.node, e.language(v.Snapshot))
	} else if s.byDate() {
		warnings = append(warnings, "sort orders the top_k publications nearest in meaning by date; nearness decides which they are")
	}
	for _, l := range lints {
		message := l.Message
		if len(l.Terms) > 0 {
			message += " (" + strings.Join(l.Terms, ", ") + ")"
		}
		warnings = append(warnings, message)
	}
	return warnings
}

// nothing says why a search found nothing, where its strategy does not.
func (s *search) nothing() string {
	among := "no publication"
	if len(s.filters) > 0 {
		among = "no publication that passes the filters"
	}
	if s.request.Lane == Semantic {
		return among + " is nearer in meaning than chance: describe what is sought in the language of the publications, or loosen the filters"
	}
	return among + " holds all that the query asks for: leave out parts of it, or give synonyms by OR"
}

// contradicts tells that a lane's name begins with another type than the lane has.
func (r Request) contradicts() bool {
	kind, err := Ask{LaneName: r.LaneName}.kind()
	return err == nil && kind != r.Lane
}

// samples is how many publications tell the language of a collection.
const samples = 100

// language is what nearly all of the collection is written in.
func (e *Engine) language(snap *snapshot.Snapshot) patentquery.Language {
	e.mu.Lock()
	defer e.mu.Unlock()
	l, known := e.languages[snap.Name()]
	if !known {
		clear(e.languages)
		l = languageOf(snap)
		e.languages[snap.Name()] = l
	}
	return l
}

func languageOf(snap *snapshot.Snapshot) patentquery.Language {
	size := snap.Live().GetCardinality()
	looked, japanese := 0, 0
	for i := uint64(0); i < size; i += max(size/samples, 1) {
		section, err := snap.Live().Select(uint32(i))
		if err != nil {
			break
		}
		looked++
		if text.HasCJK(snap.Source(section, snapshot.FieldTitle) + firstBytes(snap.Source(section, snapshot.FieldAbst))) {
			japanese++
		}
	}
	switch {
	case looked == 0:
		return patentquery.Mixed
	case japanese*20 >= looked*19:
		return patentquery.Japanese
	case japanese*20 <= looked:
		return patentquery.English
	}
	return patentquery.Mixed
}

func firstBytes(s string) string { return s[:min(len(s), 500)] }

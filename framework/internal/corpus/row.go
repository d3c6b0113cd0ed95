package corpus

import "github.com/sagasu-search/sagasu/sdk/snapshot"

// Row is a section as a snapshot stores it, with one text per field of the schema.
type Row struct {
	snapshot.Section
	Fields, Keywords []string
}

// rows converts sections to rows with the fields of [snapshot.ManualSchema].
func rows(sections []Section) []Row {
	all := make([]Row, len(sections))
	for i, s := range sections {
		all[i] = Row{Section: s.Section, Fields: []string{s.HeadingPath, s.Text}}
	}
	return all
}

package corpus

import "github.com/sagasu-search/sagasu/sdk/snapshot"

// Row is what a snapshot takes of a file: a section as in [Section], with one text
// per field of the schema.
type Row struct {
	snapshot.Section
	Fields, Keywords []string
}

// Rows are sections as rows with the fields of [snapshot.ManualSchema].
func Rows(sections []Section) []Row {
	rows := make([]Row, len(sections))
	for i, s := range sections {
		rows[i] = Row{Section: s.Section, Fields: []string{s.HeadingPath, s.Text}}
	}
	return rows
}

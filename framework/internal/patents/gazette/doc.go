// Package gazette reads publications as patent offices and others publish them (JSON Lines, JSON, the full-text XML
// of the US office and of Japanese gazettes, many in one file, and zip archives of these) and writes them as the JSON
// Lines of a collection. The next run resumes an interrupted one, and every refused record is listed with the reason.
//
// Package publication defines what a record may contain.
package gazette

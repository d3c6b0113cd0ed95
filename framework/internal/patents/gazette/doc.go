// Package gazette reads publications as patent offices and others publish them (JSON Lines, JSON, the full-text
// XML of the US office and of Japanese gazettes, many in one file, and zip archives of these) and writes them as the
// JSON Lines of a collection. A run that was interrupted is resumed by the next, and every record
// that is refused is listed with the reason.
//
// What a record may hold is defined by package publication.
package gazette

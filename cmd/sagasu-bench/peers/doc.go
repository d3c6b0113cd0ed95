// Command peers answers for other search libraries when sagasu-bench measures
// beside them: Bleve, and SQLite's FTS5 in pure Go. It is a module of its own, so
// that nobody who uses sagasu downloads them.
//
//	cd cmd/sagasu-bench/peers && go build -o /tmp/peers . && sagasu-bench --peers /tmp/peers --manuals DIR
//
// It reads one JSON request a line from standard input and writes one JSON reply a
// line to standard output, in order, until its input ends. A reply says how many
// nanoseconds the work took, without the reading and writing of JSON:
//
//	{"op":"hello"}                                        → {"engines":[{"name":"bleve","about":"…"}, …]}
//	{"op":"load","sections":[{"id":0,"text":"…"}, …]}     → {}          adds to what is built
//	{"op":"build","engine":"bleve","dir":"…","language":"ja"} → {"ns":…,"bytes":…}
//	{"op":"open","engine":"bleve","dir":"…","language":"ja"}  → {"ns":…}
//	{"op":"query","engine":"bleve","text":"…","k":10}     → {"ns":…,"ids":[…]}
//	{"op":"close","engine":"bleve"}                       → {}
//
// A failed request is answered {"error":"…"}.
package main

// Command peers runs other search libraries for sagasu-bench to compare with: Bleve, and SQLite's FTS5 in pure Go. It
// is a module of its own, so that users of sagasu do not download them.
//
//	cd cmd/sagasu-bench/peers && go build -o /tmp/peers . && sagasu-bench --peers /tmp/peers --manuals DIR
//
// It reads one JSON request per line from standard input and writes one JSON reply per line to standard output, in
// order, until its input ends. A reply says how many nanoseconds the work took, without reading and writing JSON:
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

// Command peers runs other search libraries for comparison in sagasu-bench: Bleve, and SQLite's FTS5 in pure Go. It is
// a separate module, so that users of sagasu do not download them.
//
//	cd cmd/sagasu-bench/peers && go build -o /tmp/peers . && sagasu-bench --peers /tmp/peers --manuals DIR
//
// It reads one JSON request per line from standard input and writes one JSON reply per line to standard output, in
// order, until the input ends. A reply gives the duration of the work in nanoseconds, without reading and writing JSON:
//
//	{"op":"hello"}                                        → {"engines":[{"name":"bleve","about":"…"}, …]}
//	{"op":"load","sections":[{"id":0,"text":"…"}, …]}     → {}          adds to what is built
//	{"op":"build","engine":"bleve","dir":"…","language":"ja"} → {"ns":…,"bytes":…}
//	{"op":"open","engine":"bleve","dir":"…","language":"ja"}  → {"ns":…}
//	{"op":"query","engine":"bleve","text":"…","k":10}     → {"ns":…,"ids":[…]}
//	{"op":"close","engine":"bleve"}                       → {}
//
// A failed request is answered with {"error":"…"}.
package main

// Package eval measures search quality against judged queries: the usual
// rank measures by section and by file, and latency. It knows nothing of how a
// search is done; it is handed a function that does one.
package eval

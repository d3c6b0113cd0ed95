// Package eval measures search quality against judged queries: rank measures by section and by file, tokens to the
// first relevant section, latency; it lets simulated agents look for a relevant section and counts what that takes; it
// compares runs with a paired bootstrap, takes strategies away one by one, tunes settings by cross-validation, measures
// judgements on cases and writes reports. It knows nothing of how a search is done or which settings there are; it is
// handed functions.
package eval

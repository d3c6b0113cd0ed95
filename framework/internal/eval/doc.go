// Package eval measures search quality against judged queries: rank measures by section and by file, tokens to the
// first relevant section, and latency. It counts what simulated agents need to find a relevant section, compares runs
// with a paired bootstrap, leaves out strategies one by one, tunes settings by cross-validation, measures judgements
// on cases and writes reports. It does not know how a search works or which settings there are; it is given
// functions.
package eval

// Package redis keeps in a Redis what the servers of a fleet share: the entries of a [store.Store], and lines that
// all of them append to. It finds the server by its address or by Sentinels, bounds every call, and distinguishes a
// server that is away from one that refuses. It knows nothing of what the entries mean.
package redis

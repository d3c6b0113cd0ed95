// Package redis stores in Redis what servers on several machines share: the entries of a [store.Store], and lines
// that all of them append to. It finds the server by its address or by Sentinels, limits the time of every call, and
// distinguishes a server that cannot be reached from one that refuses. It does not know what the entries mean.
package redis

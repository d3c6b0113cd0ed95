// Package store keeps what outlives a call: traces of searches and runs of lanes. Values are opaque bytes in
// plain files, one each and written atomically, so that several processes share them. What the bytes mean is
// the caller's business. [Replace] writes any other file that must be whole.
package store

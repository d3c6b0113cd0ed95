// Package sample publishes small corpora as real snapshots, to try strategies on.
package sample

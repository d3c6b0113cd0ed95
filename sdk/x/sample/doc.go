// Package sample publishes small corpora as real snapshots, for trying out strategies.
package sample

// Package judge says what a result is worth: how one-sided it is, what it does
// not cover, whether it is enough, and which call to make next. Pure functions
// over plain data: it reads no snapshot and calls no strategy.
package judge

// Package judge says what a result is worth: what its texts claim, which of them
// contradict each other, where they point, what the query asks for and none of
// them gives; how one-sided the result is, whether it is enough, and which call to
// make next. Pure functions over plain data: it reads no snapshot, resolves no
// reference by itself and calls no strategy. Its rules are of two languages,
// Japanese and English, and prefer silence to a false alarm.
package judge

// Package judge assesses a result: what its texts claim, which of them contradict each other, what they refer to,
// what the query asks for that none of them gives, how one-sided the result is, whether it is enough, and which call
// to make next. It consists of pure functions over plain data: it reads no snapshot, resolves no reference by itself
// and calls no strategy. Its rules cover Japanese and English, and prefer silence to a false alarm.
package judge

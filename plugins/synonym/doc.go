// Package synonym finds sections through dictionary entries: where a query says
// 返金, those that say 払い戻し. It holds the matching and the scoring; the
// dictionaries and their formats are package dict's.
package synonym

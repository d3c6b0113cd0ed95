// Package synonym finds sections through dictionary entries: for a query with 返金, sections with
// 払い戻し. It does the matching and scoring; package dict reads the dictionaries.
package synonym

// Package synonym finds sections with the help of dictionary entries: for a query with 返金, sections with 払い戻し. It
// matches and scores; package dict reads the dictionaries.
package synonym

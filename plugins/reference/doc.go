// Package reference fills a thin result with what it refers to: the article, schedule or
// section that a found text names, and the targets of its links.
package reference

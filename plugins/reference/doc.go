// Package reference adds to a small result the sections that it refers to: the article, schedule or section that a
// found text names, and the targets of its links.
package reference

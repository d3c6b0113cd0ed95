// Package reference adds to a small result the sections that it refers to: the articles, schedules and sections that
// its texts name, and the targets of their links.
package reference

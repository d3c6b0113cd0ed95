// Package patent knows how patent classification codes are written and which
// writings mean the same. Pure functions over strings.
package patent

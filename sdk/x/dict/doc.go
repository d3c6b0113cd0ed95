// Package dict handles dictionaries: synonyms and exception words, their plain text formats, the
// bundled lists, and readers for public dictionaries. Strategies search with them; the caller of
// Load opens the files.
package dict

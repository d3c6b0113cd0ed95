// Package translation finds sections in the other language: English ones for a Japanese query and the
// reverse. It translates word by word, by dictionaries that the user imports, by the bundled synonyms and
// by how katakana sounds, and searches all translations of one word as one word: the structured query of
// Pirkola, The effects of query structure and dictionary setups in dictionary-based cross-language
// information retrieval, SIGIR 1998.
package translation

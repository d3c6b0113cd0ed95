// Package translation finds sections in the other language: English ones for a Japanese query and vice versa. It
// translates word by word, with dictionaries that the user imports, with the bundled synonyms, and by the sound of
// katakana. It searches all translations of a word as one word: the structured query of Pirkola, The effects of query
// structure and dictionary setups in dictionary-based cross-language information retrieval, SIGIR 1998.
package translation

// Package static embeds texts without a service: a text's vector is the mean of the vectors of its tokens, which come
// from a folder of the user's. It reads model2vec folders (safetensors with a Hugging Face tokenizer of WordPiece or
// Unigram) and word vectors in the text form of word2vec and fastText.
//
// The content of a folder is not trusted: sizes are bounded before memory is allocated, and an error says what cannot
// be read.
package static

// Package static embeds texts without a service. A text's vector is the mean of the vectors of its tokens, which come
// from a folder of the user. It reads model2vec folders (safetensors with a Hugging Face tokenizer of the type
// WordPiece or Unigram) and word vectors in the text format of word2vec and fastText.
//
// The content of a folder is not trusted: sizes are checked before memory is allocated, and an error says what cannot
// be read.
package static

// Package static embeds texts without a service: by the mean of the vectors of their tokens, which a
// folder of the user holds. It reads model2vec folders (safetensors with a Hugging Face tokenizer of
// WordPiece or Unigram) and word vectors in the text form of word2vec and fastText.
//
// What a folder holds is not trusted: sizes are bounded before memory is taken, and an error says what
// cannot be read.
package static

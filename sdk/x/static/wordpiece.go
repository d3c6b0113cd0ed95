package static

import (
	"cmp"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// parseWordPiece reads the model of a tokenizer. A word is split into its longest known start, then the longest known
// continuation, and so on. A word with an unknown rest is unknown.
func parseWordPiece(data []byte) (func(string, func(int32)), error) {
	var file struct {
		Model struct {
			Vocab    map[string]int32 `json:"vocab"`
			Prefix   *string          `json:"continuing_subword_prefix"`
			MaxChars int              `json:"max_input_chars_per_word"`
		} `json:"model"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("the vocabulary of WordPiece: %w", err)
	}
	vocab, prefix := file.Model.Vocab, "##"
	if err := checkVocabulary(len(vocab)); err != nil {
		return nil, err
	}
	most := 0
	for word, token := range vocab {
		if token < 0 {
			return nil, fmt.Errorf("the vocabulary numbers %.40q as %d", word, token)
		}
		most = max(most, len(word))
	}
	if file.Model.Prefix != nil {
		prefix = *file.Model.Prefix
	}
	longestWord := min(cmp.Or(max(file.Model.MaxChars, 0), 100), mostWord)
	return func(word string, emit func(int32)) {
		if len(word) > longestWord && utf8.RuneCountInString(word) > longestWord {
			return
		}
		var tokens []int32
		for from := 0; from < len(word); {
			token, end := int32(-1), min(len(word), from+most)
			for ; end > from; end-- {
				if end < len(word) && !utf8.RuneStart(word[end]) {
					continue
				}
				piece := word[from:end]
				if from > 0 {
					piece = prefix + piece
				}
				if t, known := vocab[piece]; known {
					token = t
					break
				}
			}
			if token < 0 {
				return
			}
			tokens, from = append(tokens, token), end
		}
		for _, t := range tokens {
			emit(t)
		}
	}, nil
}

// mostWord is the maximum number of characters in a word. Splitting takes quadratic time.
const mostWord = 1000

func checkVocabulary(n int) error {
	if n == 0 || n > mostTokens {
		return fmt.Errorf("a vocabulary of %d tokens: there may be 1 to %d", n, mostTokens)
	}
	return nil
}

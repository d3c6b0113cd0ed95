package static

import (
	"encoding/json"
	"errors"
	"fmt"
)

// mostTokenizer is the maximum number of bytes of a tokenizer.json; one with 500,000 tokens has about 35 MB.
const mostTokenizer = 128 << 20

// huggingFace is a tokenizer as written by Hugging Face's library. The text is normalised, split into words, and each
// word into tokens.
type huggingFace struct {
	normalize []func(string) string
	split     []func([]string) []string
	word      func(word string, emit func(token int32))
}

func (t *huggingFace) tokenize(text string, emit func(token int32)) {
	most := mostGrowth * (len(text) + mostAdded)
	for _, normalize := range t.normalize {
		if text = normalize(text); len(text) > most {
			return
		}
	}
	words := []string{text}
	for _, split := range t.split {
		words = split(words)
		size := 0
		for _, w := range words {
			size += len(w)
		}
		if size > most {
			return
		}
	}
	for _, w := range words {
		t.word(w, emit)
	}
}

// step is a normalizer or a pre-tokenizer. Each type uses some of the fields.
type step struct {
	Type           string  `json:"type"`
	Normalizers    []*step `json:"normalizers"`
	PreTokenizers  []*step `json:"pretokenizers"`
	CleanText      *bool   `json:"clean_text"`
	ChineseChars   *bool   `json:"handle_chinese_chars"`
	StripAccents   *bool   `json:"strip_accents"`
	Lowercase      *bool   `json:"lowercase"`
	Left           bool    `json:"strip_left"`
	Right          bool    `json:"strip_right"`
	Pattern        pattern `json:"pattern"`
	Content        string  `json:"content"`
	Prepend        string  `json:"prepend"`
	Charsmap       string  `json:"precompiled_charsmap"`
	Replacement    string  `json:"replacement"`
	AddPrefixSpace *bool   `json:"add_prefix_space"`
	PrependScheme  string  `json:"prepend_scheme"`
	Split          *bool   `json:"split"`
	Behavior       string  `json:"behavior"`
	Individual     bool    `json:"individual_digits"`
}

// pattern is what a step searches for: one of the two.
type pattern struct{ String, Regex string }

// Limits on what steps add to a text. Without them, a few dozen that double it would fill the memory. A text that grows
// more has no tokens.
const (
	mostAdded  = 256 // bytes that a step writes in one place
	mostGrowth = 32  // times the length of the text; compatibility forms are up to 11 times as long
)

// mostSteps is the maximum number of steps of a tokenizer. Usual tokenizers have one for each punctuation mark.
const mostSteps = 256

// flat returns the steps inside sequences, in order.
func flat(s *step, inner func(*step) []*step) ([]*step, error) {
	if s == nil {
		return nil, nil
	}
	if s.Type != "Sequence" {
		if n := max(len(s.Content), len(s.Prepend), len(s.Replacement)); n > mostAdded {
			return nil, fmt.Errorf("a step %.40q adds a text of %d bytes, more than %d", s.Type, n, mostAdded)
		}
		return []*step{s}, nil
	}
	var out []*step
	for _, each := range inner(s) {
		more, err := flat(each, inner)
		if err != nil {
			return nil, err
		}
		if out = append(out, more...); len(out) > mostSteps {
			return nil, errors.New("the tokenizer has too many steps")
		}
	}
	return out, nil
}

// parseTokenizer reads a tokenizer.json.
func parseTokenizer(data []byte) (tokenizer, error) {
	var file struct {
		Normalizer   *step `json:"normalizer"`
		PreTokenizer *step `json:"pre_tokenizer"`
		Model        struct {
			Type string `json:"type"`
		} `json:"model"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("not the form of Hugging Face's tokenizers: %w", err)
	}
	t := &huggingFace{}
	steps, err := flat(file.Normalizer, func(s *step) []*step { return s.Normalizers })
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		f, err := s.normalizer()
		if err != nil {
			return nil, err
		}
		t.normalize = append(t.normalize, f)
	}
	if steps, err = flat(file.PreTokenizer, func(s *step) []*step { return s.PreTokenizers }); err != nil {
		return nil, err
	}
	for _, s := range steps {
		f, err := s.preTokenizer()
		if err != nil {
			return nil, err
		}
		t.split = append(t.split, f)
	}
	switch file.Model.Type {
	case "WordPiece":
		t.word, err = parseWordPiece(data)
	case "Unigram":
		t.word, err = parseUnigram(data)
	default:
		err = fmt.Errorf("the model is of the type %.40q; WordPiece and Unigram can be read", file.Model.Type)
	}
	return t, err
}

func yes(b *bool) bool { return b == nil || *b }

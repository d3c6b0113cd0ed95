package static

import (
	"encoding/json"
	"fmt"
	"math"
	"unicode/utf8"
)

// unigram splits a text into pieces with the greatest sum of scores, which are logarithms of probabilities.
type unigram struct {
	pieces  map[string]int32 // the token of a piece, or none for a prefix of pieces
	scores  []float32
	unknown float32 // score of a character in no piece
}

const none int32 = -1

// mostPiece is the maximum number of characters in a piece.
const mostPiece = 64

func newUnigram(tokens int) *unigram {
	return &unigram{pieces: make(map[string]int32, 2*tokens), scores: make([]float32, 0, tokens)}
}

// add assigns the next token its piece. A piece that is too long or already present is never found.
func (u *unigram) add(piece string, score float32) {
	if u.name(piece, score) && utf8.RuneCountInString(piece) <= mostPiece {
		for i := range piece {
			if _, there := u.pieces[piece[:i]]; i > 0 && !there {
				u.pieces[piece[:i]] = none
			}
		}
	}
}

// name assigns the next token its piece. Split finds the piece only if it has one character.
func (u *unigram) name(piece string, score float32) bool {
	token := int32(len(u.scores))
	u.scores = append(u.scores, score)
	u.unknown = min(u.unknown, score-10)
	if t, there := u.pieces[piece]; piece == "" || there && t != none {
		return false
	}
	u.pieces[piece] = token
	return true
}

// split calls emit with the tokens of a text. It takes linear time.
func (u *unigram) split(text string, emit func(token int32)) {
	type node struct {
		score float32
		from  int32
		token int32
	}
	best := make([]node, len(text)+1)
	for i := range best[1:] {
		best[i+1].score = float32(math.Inf(-1))
	}
	for at := range text {
		offer := func(end int, score float32, token int32) {
			if s := best[at].score + score; s > best[end].score {
				best[end] = node{s, int32(at), token}
			}
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		offer(at+n, u.unknown, none)
		for end := at + n; ; {
			token, begins := u.pieces[text[at:end]]
			if !begins {
				break
			}
			if token != none {
				offer(end, u.scores[token], token)
			}
			if end == len(text) {
				break
			}
			_, n := utf8.DecodeRuneInString(text[end:])
			end += n
		}
	}
	var found []int32
	for at := int32(len(text)); at > 0; at = best[at].from {
		if best[at].token != none {
			found = append(found, best[at].token)
		}
	}
	for i := range found {
		emit(found[len(found)-1-i])
	}
}

// parseUnigram reads the model of a tokenizer.
func parseUnigram(data []byte) (func(string, func(int32)), error) {
	var file struct {
		Model struct {
			Vocab   []scored `json:"vocab"`
			Unknown *int32   `json:"unk_id"`
		} `json:"model"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("the vocabulary of Unigram: %w", err)
	}
	vocab := file.Model.Vocab
	if err := checkVocabulary(len(vocab)); err != nil {
		return nil, err
	}
	u := newUnigram(len(vocab))
	for i, p := range vocab {
		if file.Model.Unknown != nil && int(*file.Model.Unknown) == i {
			p.piece = "" // has a number but is never found
		}
		u.add(p.piece, p.score)
	}
	return u.split, nil
}

// scored is a piece in the format of the file: a list of text and score.
type scored struct {
	piece string
	score float32
}

func (s *scored) UnmarshalJSON(data []byte) error {
	pair := [2]any{&s.piece, &s.score}
	return json.Unmarshal(data, &pair)
}

package patentquery

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scope specifies which texts of a publication a lane searches.
type Scope string

const (
	Wide            Scope = "wide"              // all fields
	TitleAbstClaims Scope = "title_abst_claims" // not the description
	ClaimsOnly      Scope = "claims_only"
	TopClaim        Scope = "top_claim"     // the first claim
	BackgroundJP    Scope = "background_jp" // the background art of a Japanese description
)

// Scopes are all scopes.
var Scopes = [...]Scope{Wide, TitleAbstClaims, ClaimsOnly, TopClaim, BackgroundJP}

// Fields returns the fields of the scope.
func (s Scope) Fields() []Field {
	switch s {
	case TitleAbstClaims:
		return []Field{Title, Abst, Claim}
	case ClaimsOnly, TopClaim:
		return []Field{Claim}
	case BackgroundJP:
		return []Field{Desc}
	}
	return Fields[:]
}

// Partial reports whether the scope is only a part of its field, the one that Cut returns.
func (s Scope) Partial() bool { return s == TopClaim || s == BackgroundJP }

// Cut returns the part of its field's normalised text that belongs to the scope.
func (s Scope) Cut(norm string) string {
	switch s {
	case TopClaim:
		return firstClaim(norm)
	case BackgroundJP:
		return background(norm)
	}
	return norm
}

// firstClaim returns the text before the second claim, which starts at 【請求項2】, which normalises to
// round brackets, or at a word "2." followed by a letter.
func firstClaim(norm string) string {
	end := len(norm)
	if i := strings.Index(norm, "(請求項2)"); i >= 0 {
		end = i
	}
	for at := 0; at < end; {
		i := strings.Index(norm[at:end], " 2")
		if i < 0 {
			break
		}
		at += i + len(" 2")
		dot, ok := strings.CutPrefix(strings.TrimPrefix(norm[at:], " "), ". ")
		if r, _ := utf8.DecodeRuneInString(dot); ok && unicode.IsLetter(r) {
			end = at - len(" 2")
		}
	}
	return norm[:end]
}

// The headings around the background, as they normalise.
var (
	backgroundStarts = []string{"(背景技術)", "(従来の技術)", "(従来技術)"}
	backgroundEnds   = []string{
		"(先行技術文献)", "(特許文献)", "(非特許文献)", "(発明の概要)", "(考案の概要)", "(発明の開示)", "(発明が解決しようとする課題)",
		"(考案が解決しようとする課題)", "(課題を解決するための手段)", "(発明の効果)", "(図面の簡単な説明)", "(発明を実施するための形態)",
		"(考案を実施するための形態)", "(発明を実施するための最良の形態)", "(発明の実施の形態)", "(実施例)", "(産業上の利用可能性)", "(符号の説明)",
	}
)

// background returns the text between the heading of the background and the next heading, or "".
func background(norm string) string {
	for _, start := range backgroundStarts {
		_, rest, ok := strings.Cut(norm, start)
		if !ok {
			continue
		}
		for _, end := range backgroundEnds {
			rest, _, _ = strings.Cut(rest, end)
		}
		return rest
	}
	return ""
}

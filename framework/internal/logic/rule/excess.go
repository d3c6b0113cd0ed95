package rule

import "github.com/sagasu-search/sagasu/sdk/x/lazyregexp"

var (
	over  = lazyregexp.New(`(?i)\btoo[ _]?(?:many|much|large|big|long|late|old|high|heavy|far|often)|\bexceed|\bmore than\b|\babove\b|\blimit reached\b|(?:多|大き|長|高|遅|重)すぎ|超過|超え|上回|を過ぎ`)
	under = lazyregexp.New(`(?i)\btoo[ _]?(?:few|little|small|short|early|young|low|light)|\binsufficient|\bnot enough\b|\bless than\b|\bbelow\b|(?:少な|小さ|短|低|早|軽)すぎ|未満|満たな|足り|不足|下回`)
)

// excess tells whether words speak of too much, 1, or too little, -1; 0 where they
// speak of neither or of both.
func excess(words string) int {
	sign := 0
	if over().MatchString(words) {
		sign++
	}
	if under().MatchString(words) {
		sign--
	}
	return sign
}

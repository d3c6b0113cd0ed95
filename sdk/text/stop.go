package text

// EnglishStop reports whether a normalised, unstemmed English word has no content of its own. Words
// that negate or limit a statement (not, no, without, except, unless, only, before, all ...) are
// never stop words.
func EnglishStop(word string) bool {
	switch word {
	case "a", "an", "the", "this", "that", "these", "those",
		"i", "me", "my", "we", "us", "our", "you", "your", "he", "him", "his",
		"she", "her", "it", "its", "they", "them", "their",
		"am", "is", "are", "was", "were", "be", "been", "being",
		"do", "does", "did", "done", "doing", "have", "has", "had", "having",
		"can", "could", "may", "might", "shall", "should", "will", "would",
		"and", "or", "but", "if", "so", "than", "then", "as", "because", "while",
		"of", "at", "by", "for", "with", "about", "into", "to", "from", "in", "on", "onto", "upon",
		"up", "out", "off", "over",
		"what", "which", "who", "whom", "whose", "when", "where", "why", "how",
		"here", "there", "too", "very", "just", "also", "such", "some", "any", "s", "please", "let",
		"i'm", "i've", "it's", "that's", "what's", "there's", "you're", "we're", "they're":
		return true
	}
	return false
}

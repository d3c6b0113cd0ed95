package rule

// homes tell how near a file of code is to a file of specification: the share of their
// common ideas, by weight, in those that the nearest file of code has, in [0, 1]. A
// requirement is rather held where the rest of its file is. Where the nearest holds few of
// the ideas no file is near.
type homes map[[2]string]float64

// Between these shares of the ideas of a specification that the nearest file holds, it goes
// from one of something else to one of the same. Specifications held against a program of
// another trade have .05 to .33 there, those held against theirs .4 and more.
const (
	foreign  = .15
	akinFrom = .35
)

func (s scale) homes(has, wants []Source) homes {
	code, specs, h := wordsOf(has), wordsOf(wants), homes{}
	for spec, wanted := range specs {
		best := 0
		for path, words := range code {
			common := s.sum(shared(wanted, words))
			h[[2]string{spec, path}], best = float64(common), max(best, common)
		}
		known := min(max((float64(best)/float64(max(s.sum(wanted), 1))-foreign)/(akinFrom-foreign), 0), 1)
		for path := range code {
			h[[2]string{spec, path}] *= known / float64(max(best, 1))
		}
	}
	return h
}

// wordsOf are the ideas of each file.
func wordsOf(sources []Source) map[string]Words {
	all := map[string]Words{}
	for _, s := range sources {
		words := all[s.Path]
		if words == nil {
			words = Words{}
			all[s.Path] = words
		}
		words.take(s.Topic)
		for _, r := range s.Rules {
			words.take(r.About)
		}
	}
	return all
}

package search

import "github.com/sagasu-search/sagasu/framework/internal/fusion"

// packCandidates appends the encoded candidates of a trace, with the contributions of every strategy.
func packCandidates(out []byte, all []Candidate) []byte {
	p := packing{out: out}
	p.number(len(all))
	for _, c := range all {
		p.text(c.ManualID)
		p.text(c.Path)
		p.out = append(p.out, c.Digest[:]...)
		p.number(c.Line)
		p.number(c.EndLine)
		p.text(c.Title)
		p.score(c.Score)
		p.score(c.Likelihood)
		p.list(c.Signals)
		p.list(c.Terms)
		p.numbers(c.Wordings)
		p.number(len(c.Contributions))
		for _, x := range c.Contributions {
			p.contribution(x)
		}
	}
	return p.out
}

func (p *packing) contribution(x fusion.Contribution) {
	p.text(x.Source)
	p.number(x.Rank)
	for _, part := range [...]float64{x.Raw, x.Scaled, x.Weight, x.Confidence, x.Amount} {
		p.score(part)
	}
	p.number(x.Lists)
	if x.Blend == nil {
		p.number(0)
	} else {
		p.number(1)
		p.score(x.Blend.From)
		p.score(x.Blend.To)
	}
	p.list(x.Terms)
}

// unpackCandidates reads packed candidates.
func unpackCandidates(packed []byte) ([]Candidate, error) {
	u := unpacking{in: packed}
	out := []Candidate{}
	for n := u.count(); len(out) < n && !u.damaged; {
		c := Candidate{
			ManualID: u.text(), Path: u.text(), Digest: u.digest(), Line: u.number(), EndLine: u.number(),
			Title: u.text(), Score: u.score(), Likelihood: u.score(), Signals: u.list(), Terms: u.list(),
			Wordings: u.numbers(),
		}
		for range u.count() {
			c.Contributions = append(c.Contributions, u.contribution())
		}
		out = append(out, c)
	}
	return out, u.err()
}

func (u *unpacking) contribution() fusion.Contribution {
	x := fusion.Contribution{Source: u.text(), Rank: u.number()}
	for _, part := range [...]*float64{&x.Raw, &x.Scaled, &x.Weight, &x.Confidence, &x.Amount} {
		*part = u.score()
	}
	x.Lists = u.number()
	if u.number() > 0 {
		x.Blend = &fusion.Blend{From: u.score(), To: u.score()}
	}
	x.Terms = u.list()
	return x
}

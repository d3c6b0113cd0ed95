package logic

// Confidence is how sure an answer is that rests on so many items of fresh
// evidence: 0 without any, else .5, .1 more per item of code up to .3, .05 more
// per item of specification up to .15, and .25 less where both disagree.
// Formula and figures: contract.
func Confidence(code, spec int, mismatch bool) float64 {
	if code+spec == 0 {
		return 0
	}
	percent := 50 + min(10*code, 30) + min(5*spec, 15) // in whole percent, which add up without error
	if mismatch {
		percent -= 25
	}
	return float64(min(max(percent, 0), 100)) / 100
}

package rule

import "sync"

// terms are words for how long something holds. Of a time they tell no more than its
// unit does: a coupon is valid for 90 days, it expires after them, they are its life.
var terms = sync.OnceValue(func() Words {
	return Read("valid validity expire deadline life period term lifetime duration span 失効 期限 有効期間 期間 有効")
})

// timeless are the words of a subject without those that say that it is a time.
func (r *Rule) timeless(subject Words) Words {
	if r.Kind != Amount || r.Amount.Dim != "time" {
		return subject
	}
	if rest := subject.without(terms()); len(rest) > 0 {
		return rest
	}
	return subject
}

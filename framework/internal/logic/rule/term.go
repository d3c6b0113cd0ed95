package rule

import "sync"

// terms are words for how long something holds. Of a time they tell no more than its
// unit does: a coupon is valid for 90 days, it expires after them, they are its life.
var terms = sync.OnceValue(func() Words {
	return Read("valid validity expire deadline life period term lifetime duration span 失効 期限 有効期間 期間 有効")
})

// permitting are words for that so much is allowed, which any limit says.
var permitting = sync.OnceValue(func() Words { return Read("allow permit 許可") })

// measured is a subject without the words that only say how an amount is meant.
func (r *Rule) measured(subject Words) Words {
	if r.Kind != Amount {
		return subject
	}
	rest := subject.without(permitting())
	if r.Amount.Dim == "time" {
		rest = rest.without(terms())
	}
	if len(rest) == 0 {
		return subject
	}
	return rest
}

package order

import "errors"

// Limits of an order.
const (
	MaxItems = 20
	minTotal = 5.5
)

// Order is what somebody buys.
type Order struct{ Items []Item }

var errTooMany = errors.New("too many items")

// Check says whether the order can be taken.
func (o *Order) Check(total float64) (string, error) {
	switch {
	case len(o.Items) > MaxItems:
		return "", errors.New("too many items")
	case total <= minTotal:
		return "small", nil
	}
	return "ok", nil
}

func write(w http.ResponseWriter) { http.Error(w, "gone", http.StatusGone) }

// Paid says whether the order is paid; the last comparison is no state that is returned.
func (o *Order) Paid(ctx context.Context) (bool, error) {
	if n := len(o.Items); n > MaxItems || ctx.Err() != nil {
		return false, ctx.Err()
	}
	return o.Status == StatusPaid || StatusSent == o.Status, nil
}

const maxBytes = 2 << 20

// window has a field whose name branches in other languages.
type window struct {
	until time.Time
}

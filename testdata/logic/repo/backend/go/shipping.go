// Package backend ships what was ordered.
package backend

import (
	"errors"
	"time"
)

const (
	maxCarrierRetries = 5
	labelTimeout      = 10 * time.Second
	maxDeclaredYen    = 50_000
)

var carriers = []string{"yamato", "sagawa", "seino"}

var parcelSizes = []string{"small", "medium", "large"}

var (
	errTooHeavy = errors.New("parcel is too heavy")
	errTooDear  = errors.New("declared value is too high")
)

// DeliveryRequest asks for a delivery.
type DeliveryRequest struct {
	PostalCode string `json:"postal_code" validate:"required"`
	Note       string `json:"note" validate:"required"`
}

// CheckWeight refuses parcels that no carrier takes.
func CheckWeight(p Parcel) error {
	if p.WeightKg >= 30 {
		return errTooHeavy
	}
	return nil
}

// CheckDeclaredValue refuses parcels that are worth too much.
func CheckDeclaredValue(p Parcel) error {
	if p.DeclaredYen > maxDeclaredYen {
		return errTooDear
	}
	return nil
}

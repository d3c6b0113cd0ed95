package backend

import (
	"net/http"
	"time"
)

const (
	freeMinutes     = 30
	pricePerHourYen = 150
	maxRideDuration = 12 * time.Hour
	depositYen      = 2000
	minBatteryPct   = 15
	maxBikesPerUser = 2
)

// Unlock lets a user ride a bike.
func Unlock(w http.ResponseWriter, u *User, b *Bike) bool {
	if len(u.Bikes) >= maxBikesPerUser {
		http.Error(w, "too many bikes", http.StatusConflict)
		return false
	}
	if b.Battery < minBatteryPct {
		http.Error(w, "battery is too low", http.StatusLocked)
		return false
	}
	if u.Balance < depositYen {
		http.Error(w, "deposit is missing", http.StatusPaymentRequired)
		return false
	}
	b.State = "riding"
	return true
}

// Return ends a ride.
func Return(b *Bike, at Station) {
	b.State = "parked"
	at.Add(b)
}

// Lost tells whether a bike counts as lost.
func Lost(b *Bike, ridden time.Duration) bool {
	return ridden > maxRideDuration
}

// Price is what a ride costs.
func Price(minutes int) int {
	if minutes <= freeMinutes {
		return 0
	}
	return (minutes - freeMinutes + 59) / 60 * pricePerHourYen
}

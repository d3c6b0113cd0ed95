package services

import (
	"net/http"
	"time"
)

const (
	TrialLength      = 14 * 24 * time.Hour
	GracePeriod      = 5 * 24 * time.Hour
	MaxSeatsFree     = 3
	YearlyDiscount   = 0.15
	refundWindowDays = 14
)

var planNames = []string{"free", "team", "business"}

// ChangePlan moves an account to another plan.
func ChangePlan(w http.ResponseWriter, a *Account, plan string) {
	if !known(plan) {
		http.Error(w, "unknown plan", http.StatusNotFound)
		return
	}
	if plan == "free" && a.Seats > MaxSeatsFree {
		http.Error(w, "too many seats for the free plan", http.StatusConflict)
		return
	}
	a.Plan = plan
}

// MarkUnpaid is called when a payment failed.
func MarkUnpaid(a *Account, since time.Duration) {
	if since >= GracePeriod {
		a.Status = "locked"
		return
	}
	a.Status = "past_due"
}

// CanRefund tells whether a customer gets the money back.
func CanRefund(daysSincePayment int) bool {
	return daysSincePayment < refundWindowDays
}

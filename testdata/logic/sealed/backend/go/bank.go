package backend

import (
	"errors"
	"net/http"
	"time"
)

const (
	dailyTransferLimitUSD = 5000
	maxPinAttempts        = 3
	dormantAfter          = 365 * 24 * time.Hour
	overdraftFeePercent   = 2.5
	secondApprovalUSD     = 1000
	statementEntries      = 50
)

var currencies = []string{"USD", "EUR", "GBP"}

var (
	errSameAccount = errors.New("both accounts are the same")
	errNoApproval  = errors.New("second approval is missing")
)

// TransferRequest asks for a transfer.
type TransferRequest struct {
	Amount    float64 `json:"amount" validate:"required"`
	Reference string  `json:"reference" validate:"required"`
}

// Transfer moves money.
func Transfer(w http.ResponseWriter, from, to *Account, amount float64, approvals int) error {
	if from.ID == to.ID {
		return errSameAccount
	}
	if from.Frozen {
		http.Error(w, "account is frozen", http.StatusLocked)
		return errFrozen
	}
	if amount > secondApprovalUSD && approvals < 2 {
		return errNoApproval
	}
	creditAccount(to, amount)
	debitAccount(from, amount)
	return nil
}

// WrongPin counts a wrong PIN of a card.
func WrongPin(c *Card) {
	c.PinAttempts++
	if c.PinAttempts >= maxPinAttempts {
		c.Status = "blocked"
	}
}

// Sleep finds accounts without movement.
func Sleep(a *Account, now time.Time) {
	if now.Sub(a.LastMovement) > dormantAfter {
		a.Status = "dormant"
	}
}

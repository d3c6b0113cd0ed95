package backend

import (
	"errors"
	"time"
)

const escalateUrgentAfter = 4 * time.Hour

var (
	errTitle     = errors.New("title is too short")
	errClosed    = errors.New("ticket is closed")
	errForbidden = errors.New("forbidden")
)

// Age marks tickets that nobody replied to.
func Age(t *Ticket) {
	if t.DaysWithoutReply >= 7 {
		t.Status = "dormant"
	}
}

// Reopen opens a closed ticket again.
func Reopen(t *Ticket) {
	t.Status = "open"
}

// CheckReopen tells who may reopen a ticket.
func CheckReopen(actor Actor) error {
	if actor.IsCustomer {
		return errForbidden
	}
	return nil
}

// Route gives a ticket to a team.
func Route(t *Ticket) string {
	if t.Kind == "security" {
		return securityTeam(t)
	}
	if t.Kind == "billing" {
		return billingTeam(t)
	}
	return frontDesk(t)
}

// CheckTitle checks the title of a ticket.
func CheckTitle(t *Ticket) error {
	if len(t.Title) < 5 {
		return errTitle
	}
	return nil
}

// Edit changes a ticket.
func Edit(t *Ticket, text string) error {
	if t.Closed {
		return errClosed
	}
	t.Text = text
	return nil
}

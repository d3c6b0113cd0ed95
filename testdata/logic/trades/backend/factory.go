package backend

import (
	"errors"
	"time"
)

// MaxShiftHours bounds how long somebody works.
const MaxShiftHours = 10

const (
	coolDown        = 45 * time.Minute
	scrapRateLimit  = 0.02
	minOperators    = 2
	toolLifeCycles  = 5000
	requireHelmet   = true
	inspectionEvery = 500
)

var ErrLineStopped = errors.New("line is stopped")

// StartLine starts a production line.
func (l *Line) StartLine(operators []Operator) error {
	if l.Stopped {
		return ErrLineStopped
	}
	if len(operators) < minOperators {
		return errors.New("not enough operators")
	}
	l.State = "running"
	return nil
}

// Scrap counts a defective part.
func (l *Line) Scrap() {
	l.Scrapped++
	if float64(l.Scrapped)/float64(l.Produced) > scrapRateLimit {
		l.State = "halted"
	}
}

// NeedsInspection tells whether the next part is inspected.
func (l *Line) NeedsInspection() bool {
	return l.Produced%inspectionEvery == 0
}

// ToolWorn tells whether a tool has to be replaced.
func ToolWorn(t *Tool) bool {
	return t.Cycles >= toolLifeCycles
}

// CheckShift keeps people from working too long.
func CheckShift(hours float64) error {
	if hours > MaxShiftHours {
		return errors.New("shift is too long")
	}
	return nil
}

// ReleaseBatch lets a batch go to the customers.
func ReleaseBatch(u *User, b *Batch) error {
	if u.Role == "operator" {
		return ErrForbidden
	}
	printLabels(b)
	recordSerials(b)
	b.Status = "released"
	return nil
}

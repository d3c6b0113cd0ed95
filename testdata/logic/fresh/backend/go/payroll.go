package backend

import "time"

const (
	overtimeRate     = 1.25
	nightRate        = 1.5
	payslipRetention = 5 * 365 * 24 * time.Hour
	sendPayslipMail  = true
)

var contractTypes = []string{"regular", "temporary", "intern"}

// Bonus tells the bonus of an employee in percent of the salary.
func Bonus(e Employee) int {
	if e.YearsOfService >= 5 {
		return 20
	}
	return 10
}

// Approve lets a manager approve a time sheet.
func Approve(m Manager, s *Sheet) error {
	if s.Owner == m.ID {
		return ErrOwnSheet
	}
	s.State = "approved"
	return nil
}

// CloseMonth calculates the wages of a month.
func CloseMonth(s *Store) error {
	if err := s.lockSheets(); err != nil {
		return err
	}
	return s.calculateWages()
}

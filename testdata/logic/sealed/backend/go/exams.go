package backend

import (
	"errors"
	"net/http"
	"time"
)

const (
	passingScore     = 70
	maxRetakes       = 2
	examDuration     = 90 * time.Minute
	resultRetention  = 365 * 24 * time.Hour
	notifyOnAbsence  = false
	proctorsPerClass = 2
)

var questionKinds = []string{"choice", "essay", "listening"}

var errTooManyRetakes = errors.New("too many retakes")

// Entry is what a student hands in.
type Entry struct {
	StudentID string  `json:"student_id" validate:"required"`
	Remarks   *string `json:"remarks,omitempty"`
}

// Grade tells whether an exam was passed.
func Grade(score int) string {
	if score >= passingScore {
		return "passed"
	}
	return "failed"
}

// Retake lets a student take an exam once more.
func Retake(s *Student, e *Exam) error {
	if s.Retakes >= maxRetakes {
		return errTooManyRetakes
	}
	s.Retakes++
	return open(s, e)
}

// Start begins an exam.
func Start(s *Student, e *Exam) error {
	if err := distributeQuestions(s, e); err != nil {
		return err
	}
	return verifyIdentity(s)
}

// Submit takes what a student hands in.
func Submit(w http.ResponseWriter, e *Exam, entry Entry) bool {
	if time.Since(e.StartedAt) > examDuration {
		http.Error(w, "exam time is over", http.StatusGone)
		return false
	}
	e.State = "submitted"
	return true
}

package backend

import (
	"net/http"
	"time"
)

const (
	sessionIdleTimeout = 60 * time.Minute
	refreshTokenLife   = 14 * 24 * time.Hour
	maxSessions        = 5
)

// RequireSession answers requests whose session has expired.
func RequireSession(w http.ResponseWriter, s *Session) bool {
	if s.Expired() {
		http.Error(w, "session expired", http.StatusUnauthorized)
		return false
	}
	return true
}

// RequireRole answers requests of users without permission for an operation.
func RequireRole(w http.ResponseWriter, u *User, role string) bool {
	if !u.HasPermission(role) {
		http.Error(w, "no permission", http.StatusUnauthorized)
		return false
	}
	return true
}

// Touch keeps a session alive.
func Touch(s *Session) {
	if s.IsAdmin {
		extendSession(s)
	}
}

// ChangePassword stores a new password.
func ChangePassword(u *User, password string) error {
	if err := store(u, password); err != nil {
		return err
	}
	return revokeOtherSessions(u)
}

// Open checks who asks, and then what he may do.
func Open(u *User, doc *Document) error {
	if err := authenticate(u); err != nil {
		return err
	}
	return authorize(u, doc)
}

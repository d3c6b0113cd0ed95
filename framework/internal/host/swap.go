package host

import "fmt"

// Swap gives a strategy another entry, as after a rebuild: calls under way fail or end,
// the next one starts what the new entry says, and earlier failures are forgotten.
func (h *Host) Swap(e Entry) error {
	if err := e.Check(); err != nil {
		return err
	}
	s := h.byName[e.Name]
	if s == nil {
		return fmt.Errorf("%w: %s", ErrUnknown, e.Name)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held.Store(&e)
	s.described, s.retry, s.breaker, s.doubted = e.Known, backoff{}, breaker{first: h.options.Suspension}, false
	if s.current != nil {
		s.dismiss(s.current)
	}
	return nil
}

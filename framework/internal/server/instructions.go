package server

import "strings"

// instructions are those of the toolsets that are served. A client shows its model at most
// 1,500 characters.
func (s *Server) instructions() string {
	var parts []string
	for _, set := range s.sets {
		if set.Instructions != "" && s.serves(set) {
			parts = append(parts, strings.TrimSpace(set.Instructions))
		}
	}
	return strings.Join(parts, "\n\n")
}

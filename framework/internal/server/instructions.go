package server

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// The parts of what a client tells its model about the server, which together with those of the
// toolsets have at most 1,500 characters.
const (
	vaultInstructions = `

Finished work goes into the vault: artifacts/ (.md, .json), the day's notes into artifacts/daily/YYYY-MM-DD.md (vault_create, then vault_write append). Answer with a summary and the path. Copy from manuals, unread, with bridge_copy_section. vault_scan with cited_ranges finds what is not yet used, artifact_audit what has no source_lines.`
)

const logicInstructions = `

Business logic: find_logic_evidence, then ask_logic_qa with its evidence.`

// instructions returns the instructions of the tools that are switched on.
func (s *Server) instructions() string {
	text := ""
	for _, set := range s.sets {
		if slices.ContainsFunc(set.Tools, func(t toolset.Tool) bool { return s.offers(t.Name) }) {
			text += set.Instructions
		}
	}
	if s.offers("vault_create") {
		text += vaultInstructions
	}
	for _, set := range s.sets {
		if set.Instructions != "" && s.serves(set) {
			text += "\n\n" + set.Instructions
		}
	}
	for _, set := range s.sets {
		if slices.ContainsFunc(set.Tools, s.offers) {
			text += set.Instructions
		}
	}
	return strings.TrimSpace(text)
}

func (s *Server) offers(name string) bool {
	_, on := s.tool(name)
	return on
}

// offers reports whether a tool is switched on.
func (s *Server) offers(t toolset.Tool) bool {
	_, on := s.tool(t.Name)
	return on
}

// Package lsa learns from a collection which terms go together, and gives texts
// directions in the space of that: latent semantic analysis (Deerwester et al.,
// JASIS 1990). Texts that share no word may still be alike.
//
// A [Model] is learned once from a snapshot, or a sample of it, and gives a
// vector to whatever comes later: new sections are folded in, not learned.
// It knows nothing of files, of ranking or of when to learn again.
package lsa

// Package lsa learns from a collection which terms occur together, and turns texts into vectors in the space that it
// learned: latent semantic analysis (Deerwester et al., JASIS 1990). Texts that share no word may still be similar.
//
// A [Model] is learned once from a snapshot, or a sample of it, and computes a vector for any later text: new sections
// are folded in, not learned. It knows nothing about files, ranking or when to learn again.
package lsa

package embed

import "context"

// Provider gives texts their vectors.
type Provider interface {
	// ID changes whenever the vector of a text may.
	ID() string
	// Embed gives the vector of each text, in their order, all of one length.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Package embed turns texts into vectors by a service that others run: any endpoint
// that answers as OpenAI's POST /v1/embeddings does. What was paid for once is kept on
// disk by content.
//
// It logs neither a text nor the key, only what cannot be kept. It knows nothing of what vectors are for.
package embed

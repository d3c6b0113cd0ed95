// Package embed computes vectors of texts with an external service: any endpoint with the API of
// OpenAI's POST /v1/embeddings. It caches vectors on disk by a hash of the text, so that each text
// is paid for once.
//
// It logs only failures to cache, never a text or the key. It does not know what the vectors are for.
package embed

// Package embedding finds sections by the likeness of their vectors with the query's. A model that the
// user brings makes the vectors: a service that answers as OpenAI's POST /v1/embeddings does, or a
// static model in a folder. They are made in the background; until all are there the others are
// searched, with a warning. When the service fails the answer lacks no more than this strategy's part.
// It logs neither a text nor the key.
package embedding

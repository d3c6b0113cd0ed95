// Package embedding finds sections by the similarity of their vectors to the query's. The user's model makes the
// vectors: a service that answers like OpenAI's POST /v1/embeddings, or a static model in a folder. They are computed
// in the background; until all are there, the available ones are searched, with a warning. When the service fails,
// the answer lacks only this strategy's part. It logs neither a text nor the key.
package embedding

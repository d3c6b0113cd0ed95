// Package embedding finds sections by the similarity of their vectors to the query's. The user's model computes the
// vectors: a service with the API of OpenAI's POST /v1/embeddings, or a static model in a folder. They are computed in
// the background. Until all are ready, the available ones are searched, with a warning. If the service fails, the
// answer lacks only the results of this strategy. It logs neither texts nor the key.
package embedding

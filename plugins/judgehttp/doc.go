// Package judgehttp lets a model behind an external service judge the best sections: a language model behind
// OpenAI-style chat completions, or a classifier of sentence pairs (natural language inference) behind Text
// Embeddings Inference. It looks up what the model quotes in the passages, and drops quotes that are not there. When
// the service fails, it judges nothing and returns a warning. It logs nothing.
package judgehttp

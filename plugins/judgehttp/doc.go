// Package judgehttp lets a model of an external service judge the best sections: a language model with OpenAI-style
// chat completions, or a classifier of sentence pairs (natural language inference) in Text Embeddings Inference. It
// looks up the model's quotes in the passages and drops quotes that are not there. If the service fails, it judges
// nothing and returns a warning. It logs nothing.
package judgehttp

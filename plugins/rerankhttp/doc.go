// Package rerankhttp reranks the best sections with an external service: any endpoint with the API
// of Cohere, Jina, Text Embeddings Inference or vLLM. If the service fails, the order is unchanged
// and a warning is added. It logs nothing.
package rerankhttp

// Package rerankhttp has a service that others run order the best sections: any endpoint
// that speaks as Cohere, Jina, Text Embeddings Inference or vLLM do. When the service fails
// the order stays as it was, with a warning. It logs nothing.
package rerankhttp

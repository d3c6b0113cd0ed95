// Package judgehttp has a model that others run judge the best sections: a language model behind
// chat completions of OpenAI's form, or a classifier of sentence pairs (natural language inference)
// behind Text Embeddings Inference. What the model quotes is looked up in the passages, and what
// does not stand there is dropped. When the service fails, nothing is judged here and a warning says
// so. It logs nothing.
package judgehttp

// Package chat lets a model behind an OpenAI-style chat endpoint word the answers to questions on logic. The model
// sees numbered claims; anything it adds is dropped and reported.
package chat

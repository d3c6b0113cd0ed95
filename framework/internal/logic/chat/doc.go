// Package chat lets a model with an OpenAI-style chat endpoint word the answers to questions on logic. The model sees
// numbered claims; anything that it adds is dropped and reported.
package chat

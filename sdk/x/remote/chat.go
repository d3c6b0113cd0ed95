package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrAnswer means that a service's answer does not have the form that its API prescribes.
var ErrAnswer = errors.New("it gave an unusable answer")

// Message is a message of a chat.
type Message struct {
	Role    string `json:"role"` // system or user
	Content string `json:"content"`
}

// mostChat is the maximum number of bytes of an answer.
const mostChat = 1 << 20

// Chat asks a language model by the chat completions of OpenAI's API, at temperature 0, for one
// JSON object, and returns the text of its first choice. Errors are those of [Client.Post] or
// [ErrAnswer]. They contain no part of the messages.
func (c *Client) Chat(ctx context.Context, model string, messages ...Message) (string, error) {
	data, err := c.Post(ctx, struct {
		Model       string            `json:"model"`
		Messages    []Message         `json:"messages"`
		Temperature float64           `json:"temperature"`
		Seed        int               `json:"seed"`
		Format      map[string]string `json:"response_format"`
	}{model, messages, 0, 0, map[string]string{"type": "json_object"}}, mostChat)
	if err != nil {
		return "", err
	}
	var reply struct {
		Choices []struct {
			Message Message `json:"message"`
		} `json:"choices"`
	}
	if json.Unmarshal(data, &reply) != nil || len(reply.Choices) == 0 {
		return "", fmt.Errorf("%w: no chat completion", ErrAnswer)
	}
	return reply.Choices[0].Message.Content, nil
}

// Reason returns an error of a service in words for callers, without any text from the service.
func Reason(err error) string {
	status, answered := errors.AsType[*StatusError](err)
	switch {
	case answered:
		return status.Error()
	case errors.Is(err, ErrAnswer), errors.Is(err, ErrTooLong):
		return err.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "it took too long"
	}
	return "it could not be reached"
}

package chat

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// Options are where and how a [Client] asks.
type Options struct {
	URL     string        // base of the service, up to and with /v1; http or https (LOGIC_CHAT_URL)
	Model   string        // the service's name of the model (LOGIC_CHAT_MODEL)
	Key     string        // sent as a bearer token unless empty (LOGIC_CHAT_KEY)
	Timeout time.Duration // of a call, by default 30 s
}

// Client implements [answer.Answerer] over HTTP. It is safe for concurrent use.
type Client struct {
	model   string
	service *remote.Client
}

// New checks the options and returns a client; it does not connect. Close ends it.
func New(o Options) (*Client, error) {
	endpoint, _ := url.JoinPath(o.URL, "chat", "completions") // what cannot be joined is refused as it is
	service, err := remote.New(remote.Options{URL: endpoint, Key: o.Key, Timeout: o.Timeout})
	if err != nil {
		return nil, errors.New("LOGIC_CHAT_URL needs an http or https URL without user name, such as " +
			"http://127.0.0.1:11434/v1")
	}
	if o.Model == "" {
		return nil, errors.New("LOGIC_CHAT_MODEL needs the name of a model")
	}
	return &Client{o.Model, service}, nil
}

// Close lets go of idle connections.
func (c *Client) Close() error { return c.service.Close() }

// Word implements [answer.Answerer].
func (c *Client) Word(ctx context.Context, m answer.Material) (answer.Wording, error) {
	said, err := c.service.Chat(ctx, c.model, prompt(m)...)
	if err != nil {
		return answer.Wording{}, fmt.Errorf("ask the chat service: %w", err)
	}
	return backed(said, m)
}

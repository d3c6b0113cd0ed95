package chat

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/sagasu-search/sagasu/framework/logic"
)

// Options say where and how a [Client] asks.
type Options struct {
	URL     string        // base of the service, up to and with /v1; http or https (LOGIC_CHAT_URL)
	Model   string        // the service's name of the model (LOGIC_CHAT_MODEL)
	Key     string        // sent as a bearer token unless empty (LOGIC_CHAT_KEY)
	Timeout time.Duration // of a call, by default 30 s
}

// Client implements [logic.Answerer] over HTTP. It is safe for concurrent use.
type Client struct {
	options  Options
	endpoint string
	http     *http.Client
}

// New checks the options and returns a client; it does not connect. Close ends it.
func New(o Options) (*Client, error) {
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
		return nil, errors.New("LOGIC_CHAT_URL needs an http or https URL without user name, such as http://127.0.0.1:11434/v1")
	}
	if o.Model == "" {
		return nil, errors.New("LOGIC_CHAT_MODEL needs the name of a model")
	}
	o.Timeout = cmp.Or(o.Timeout, 30*time.Second)
	return &Client{options: o, endpoint: u.JoinPath("chat", "completions").String(), http: &http.Client{
		Transport: http.DefaultTransport.(*http.Transport).Clone(),
		// A redirect would carry texts, and may carry the key, to a place that nobody named.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Close lets go of idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// Word implements [logic.Answerer].
func (c *Client) Word(ctx context.Context, m logic.Material) (logic.Wording, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	said, err := c.ask(ctx, prompt(m))
	if err != nil {
		return logic.Wording{}, err
	}
	return backed(said, m)
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type request struct {
	Model       string            `json:"model"`
	Messages    []message         `json:"messages"`
	Temperature float64           `json:"temperature"`
	Seed        int               `json:"seed"`
	Format      map[string]string `json:"response_format"`
}

// mostAnswer bounds the bytes of an answer.
const mostAnswer = 1 << 20

// ask gives what the model says. Errors hold no text of the question, nor the URL.
func (c *Client) ask(ctx context.Context, messages []message) (string, error) {
	body, err := json.Marshal(request{Model: c.options.Model, Messages: messages, Format: map[string]string{"type": "json_object"}})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	if c.options.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.options.Key)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return "", hidden(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the chat service answered %d", res.StatusCode)
	}
	return content(res.Body)
}

// content is the text of the first choice.
func content(body io.Reader) (string, error) {
	var answer struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
	data, err := io.ReadAll(io.LimitReader(body, mostAnswer+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the chat service's answer: %w", err)
	case len(data) > mostAnswer:
		return "", fmt.Errorf("the chat service answered with more than %d bytes", mostAnswer)
	case json.Unmarshal(data, &answer) != nil || len(answer.Choices) == 0:
		return "", errors.New("the chat service's answer is no chat completion")
	}
	return answer.Choices[0].Message.Content, nil
}

// hidden takes the URL, which may hold what nobody should read, out of a message.
func hidden(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

package backend

// Receive takes a webhook.
func Receive(body []byte, signature string) (*Event, error) {
	event, err := parsePayload(body)
	if err != nil {
		return nil, err
	}
	if err := verifySignature(body, signature); err != nil {
		return nil, err
	}
	return event, nil
}

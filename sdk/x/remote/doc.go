// Package remote calls an external service over HTTP: JSON out, JSON back, within a time limit, with retries if the
// failure may be temporary. It logs nothing, and none of its errors contains the key, the URL or what was sent. All
// strategies that call a service are launched in the same way.
package remote

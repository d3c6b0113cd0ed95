// Package remote asks a service that others run over HTTP: JSON out, JSON back, within a
// time, and again when the failure may pass. It logs nothing, and no error of its holds the
// key, the URL or what was sent. Strategies that ask one service are launched alike.
package remote

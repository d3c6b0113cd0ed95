// Package serve runs a strategy. Call it from the main of the strategy's executable:
//
//	func main() { serve.Strategy(myStrategy{}) }
//
// It speaks the protocol of package wire. It redirects stray output to the log, and ends the process with the host.
// It is separate from package sdk so that code that only uses the types does not link the transport.
package serve

// Package serve is what the main of a strategy's executable calls:
//
//	func main() { serve.Strategy(myStrategy{}) }
//
// It speaks the protocol of package wire and keeps the process in order: stray
// prints, the log, and an end together with the host. It is apart from package
// sdk so that code which only uses the types does not carry the transport.
package serve

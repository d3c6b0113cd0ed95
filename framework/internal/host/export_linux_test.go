package host

// For the tests outside the package, which put a whole engine around a host.
var (
	ForTest  = options
	StartNow = start
)

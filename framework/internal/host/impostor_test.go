package host

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// playImpostor is an executable that does not go through the handshake as it should.
func playImpostor(name string) {
	switch name {
	case "redirector": // sends the host to somebody else's socket
		fmt.Println("1|1|unix|/run/docker.sock|grpc|")
	case "stranger": // speaks something else
		fmt.Println("HTTP/1.1 200 OK")
	case "newcomer": // a protocol of the future
		fmt.Printf("1|99|unix|%s/s|grpc|\n", os.Getenv("PLUGIN_UNIX_SOCKET_DIR"))
	case "veteran": // a protocol of the past
		fmt.Printf("1|0|unix|%s/s|grpc|\n", os.Getenv("PLUGIN_UNIX_SOCKET_DIR"))
	case "flooder": // no line ever ends
		for range 64 {
			fmt.Print(strings.Repeat("1|1|unix|", 1<<13))
		}
	case "dribbler": // a byte at a time
		for _, b := range "1|1|unix|" {
			fmt.Print(string(b))
			time.Sleep(time.Second)
		}
	}
	time.Sleep(time.Minute)
	os.Exit(0)
}

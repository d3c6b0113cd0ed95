// Package cluster starts nodes of the real engine for tests.
package cluster

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// Binary is the environment variable that names the engine's executable.
const Binary = "SAGASU_WEAVIATE"

// Settings is the environment variable with additional settings of the nodes, such as "GOMEMLIMIT=4GiB
// PERSISTENCE_MEMTABLES_FLUSH_DIRTY_AFTER_SECONDS=20".
const Settings = "SAGASU_WEAVIATE_SETTINGS"

// Cluster is a cluster of nodes on this machine, which end with the test.
type Cluster struct {
	Nodes []*Node

	binary  string
	founded int     // initial number of nodes
	all     []*Node // and one that may be added: on one machine all nodes must know from the start where it will be
}

// Node is a process of the engine.
type Node struct {
	Host string // such as "127.0.0.1:8080"
	Dir  string // for its data
	Name string

	binary string
	ports  []int
	env    []string
	cmd    *exec.Cmd
	ended  chan struct{} // closed when cmd has ended
}

// Ports of a node by purpose. The engine requires that the port for data follows that for gossip, and that for RPC
// follows Raft's.
const (
	portREST = iota
	portGossip
	portData
	portRaft
	portRPC
	portGRPC
	portsOfNode
)

// Start starts a cluster of count nodes and waits until it answers. It skips the test if there is no executable.
func Start(t testing.TB, count int) *Cluster {
	t.Helper()
	c := &Cluster{binary: os.Getenv(Binary), founded: count}
	if c.binary == "" {
		t.Skipf("%s names no executable of Weaviate", Binary)
	}
	for ports := range slices.Chunk(freePorts(t, (count+1)*portsOfNode), portsOfNode) {
		c.all = append(c.all, c.node(t, len(c.all), ports))
	}
	c.Nodes = c.all[:count:count]
	for _, n := range c.all {
		c.configure(n)
	}
	for i, n := range c.Nodes {
		n.Run(t)
		for i == 0 && count > 1 { // the others end if they find nobody to join
			if conn, err := net.Dial("tcp", n.address(portGossip)); err == nil {
				conn.Close()
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	for _, n := range c.Nodes {
		n.Await(t)
	}
	return c
}

// Add starts one more node and waits until it answers. It may be called once.
func (c *Cluster) Add(t testing.TB) *Node {
	t.Helper()
	n := c.all[c.founded]
	c.Nodes = append(c.Nodes, n)
	n.Run(t)
	n.Await(t)
	return n
}

// URL returns the URL of a collection on the cluster.
func (c *Cluster) URL(name string) string {
	var hosts []string
	for _, n := range c.Nodes {
		hosts = append(hosts, n.Host)
	}
	return "weaviate://" + strings.Join(hosts, ",") + "/" + name
}

func (c *Cluster) node(t testing.TB, number int, ports []int) *Node {
	n := &Node{Name: fmt.Sprintf("n%d", number), Dir: t.TempDir(), binary: c.binary, ports: ports}
	n.Host = n.address(portREST)
	t.Cleanup(n.Kill)
	return n
}

func (n *Node) address(which int) string { return fmt.Sprintf("127.0.0.1:%d", n.ports[which]) }

// configure sets the environment of a node.
func (c *Cluster) configure(n *Node) {
	port := func(which int) string { return fmt.Sprint(n.ports[which]) }
	n.env = []string{
		"HOME=" + n.Dir, "CLUSTER_IN_LOCALHOST=true", "PERSISTENCE_DATA_PATH=" + n.Dir, "CLUSTER_HOSTNAME=" + n.Name,
		"CLUSTER_ADVERTISE_ADDR=127.0.0.1", "CLUSTER_GOSSIP_BIND_PORT=" + port(portGossip),
		"CLUSTER_DATA_BIND_PORT=" + port(portData), "RAFT_PORT=" + port(portRaft),
		"RAFT_INTERNAL_RPC_PORT=" + port(portRPC), "GRPC_PORT=" + port(portGRPC), "GO_PROFILING_DISABLE=true",
		fmt.Sprintf("RAFT_BOOTSTRAP_EXPECT=%d", c.founded), "AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true",
		"DEFAULT_VECTORIZER_MODULE=none", "DISABLE_TELEMETRY=true", "LOG_LEVEL=error", "REPLICA_MOVEMENT_ENABLED=true",
		"PERSISTENCE_MEMTABLES_FLUSH_DIRTY_AFTER_SECONDS=1", "PERSISTENCE_MAX_REUSE_WAL_SIZE=1",
	}
	var join []string
	for _, other := range c.all {
		join = append(join, fmt.Sprintf("%s:%d", other.Name, other.ports[portRaft]))
	}
	n.env = append(n.env, "RAFT_JOIN="+strings.Join(join, ","))
	n.env = append(n.env, strings.Fields(os.Getenv(Settings))...)
	if n != c.all[0] {
		n.env = append(n.env, "CLUSTER_JOIN="+c.all[0].address(portGossip))
	}
}

// Run starts the process of the node without waiting for it.
func (n *Node) Run(t testing.TB) {
	t.Helper()
	_, port, _ := net.SplitHostPort(n.Host)
	cmd := exec.Command(n.binary, "--scheme", "http", "--host", "127.0.0.1", "--port", port)
	cmd.Dir, cmd.Env = n.Dir, n.env
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	n.cmd, n.ended = cmd, ended
}

// Kill ends the process of the node like kill -9.
func (n *Node) Kill() {
	if n.cmd != nil {
		_ = n.cmd.Process.Kill()
		<-n.ended
		n.cmd = nil
	}
}

// PID returns the id of the node's process, or 0 if it is not running.
func (n *Node) PID() int {
	if n.cmd == nil {
		return 0
	}
	return n.cmd.Process.Pid
}

// Await waits until the node answers. A node that ends instead is started again, as a supervisor would do: a node ends
// if it finds no leader in time.
func (n *Node) Await(t testing.TB) {
	t.Helper()
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		select {
		case <-n.ended:
			t.Logf("node %s ended %v after it was waited for", n.Name, time.Since(began).Round(time.Millisecond))
			n.Run(t)
		default:
		}
		if res, err := http.Get("http://" + n.Host + "/v1/.well-known/ready"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return
			}
		}
		if time.Since(began) > 5*time.Minute {
			t.Fatalf("%s does not answer", n.Host)
		}
	}
}

// freePorts returns consecutive free ports.
func freePorts(t testing.TB, n int) []int {
	t.Helper()
	for range 100 {
		var ports []int
		var taken []net.Listener
		for len(ports) < n {
			at := 0
			if len(ports) > 0 {
				at = ports[0] + len(ports)
			}
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", at))
			if err != nil {
				break
			}
			taken, ports = append(taken, l), append(ports, l.Addr().(*net.TCPAddr).Port)
		}
		for _, l := range taken {
			l.Close()
		}
		if len(ports) == n {
			return ports
		}
	}
	t.Fatal("no free ports")
	return nil
}

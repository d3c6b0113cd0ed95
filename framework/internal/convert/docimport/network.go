package docimport

import (
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
)

// network is what may be reached.
type network struct {
	hosts  map[string]bool // with their ports
	ranges []addresses     // that may be reached although they are not public
}

// addresses is a range of addresses at one port; 0 means the ports that hosts are granted with.
type addresses struct {
	netip.Prefix
	port uint16
}

// newNetwork reads grants: hosts by name or address, with a port if it is not a usual one, and ranges of addresses such
// as 10.0.0.0/8.
func newNetwork(grants []string) (*network, error) {
	n := &network{hosts: map[string]bool{}}
	for _, g := range grants {
		host := strings.ToLower(strings.TrimSpace(g))
		if r, err := netip.ParsePrefix(host); err == nil {
			n.ranges = append(n.ranges, addresses{Prefix: r})
			continue
		}
		ports := []uint16{80, 443}
		if name, port, err := net.SplitHostPort(host); err == nil {
			p, err := strconv.ParseUint(port, 10, 16)
			if err != nil || p == 0 {
				name = ""
			}
			host, ports = name, []uint16{uint16(p)}
		}
		host = strings.Trim(host, "[]")
		a, err := netip.ParseAddr(host)
		switch {
		case err == nil:
			r := addresses{Prefix: netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen())}
			if len(ports) == 1 {
				r.port = ports[0]
			}
			n.ranges = append(n.ranges, r)
		case host == "" || strings.ContainsAny(host, "/:@*? "):
			return nil, fmt.Errorf("the network grant %q must be the name of a host or an address, with its port as "+
				"wiki.example:8080 if it is not 80 or 443, or a range of addresses as 10.0.0.0/8", g)
		}
		for _, p := range ports {
			n.hosts[hostKey(host, strconv.Itoa(int(p)))] = true
		}
	}
	return n, nil
}

// hostKey returns the same name for all spellings of a host and its port.
func hostKey(host, port string) string {
	if a, err := netip.ParseAddr(host); err == nil {
		host = a.String()
	}
	return net.JoinHostPort(strings.ToLower(host), port)
}

// grants reports whether the host and port of a URL are granted.
func (n *network) grants(u *url.URL) bool {
	usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
	return n.hosts[hostKey(u.Hostname(), cmp.Or(u.Port(), usual))]
}

// reserved are the addresses that are not public, besides those that [netip.Addr] knows.
var reserved = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48",
	"100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fec0::/10",
)

func prefixes(all ...string) (out []netip.Prefix) {
	for _, p := range all {
		out = append(out, netip.MustParsePrefix(p))
	}
	return out
}

// allow reports whether an address may be reached: a public one, or one in a granted range.
func (n *network) allow(at netip.AddrPort) bool {
	a := at.Addr().Unmap().WithZone("")
	public := a.IsGlobalUnicast() && !a.IsPrivate()
	for _, r := range reserved {
		public = public && !r.Contains(a)
	}
	for _, r := range n.ranges {
		public = public || r.Contains(a) && (r.port == 0 || r.port == at.Port())
	}
	return public
}

// dialing refuses connections to addresses that may not be reached. It is the Control of a dialer, which knows the
// resolved address.
func (n *network) dialing(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !n.allow(a) {
		return &privateError{a.Addr()}
	}
	return nil
}

// privateError is the error for an address that may not be reached.
type privateError struct{ netip.Addr }

func (e *privateError) Error() string {
	return fmt.Sprintf("its address %s is not public; add --import-network %[1]s as well if it is to be read", e.Addr)
}

package docimport

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
)

// network is what may be reached.
type network struct {
	hosts  map[string]bool
	ranges []netip.Prefix // that may be reached though they are not public
}

// newNetwork reads grants: names of hosts, addresses, and ranges of addresses as 10.0.0.0/8.
func newNetwork(grants []string) (*network, error) {
	n := &network{hosts: map[string]bool{}}
	for _, g := range grants {
		given := g
		g = strings.ToLower(strings.Trim(strings.TrimSpace(g), "[]"))
		if r, err := netip.ParsePrefix(g); err == nil {
			n.ranges = append(n.ranges, r)
		} else if a, err := netip.ParseAddr(g); err == nil {
			n.ranges, n.hosts[g] = append(n.ranges, netip.PrefixFrom(a, a.BitLen())), true
		} else if g == "" || strings.ContainsAny(g, "/:@*? ") {
			return nil, fmt.Errorf("the network grant %q must be the name of a host, an address, or a range of "+
				"addresses as 10.0.0.0/8", given)
		} else if n.hosts[g] = true; g == "localhost" {
			n.ranges = append(n.ranges, prefixes("127.0.0.0/8", "::1/128")...)
		}
	}
	return n, nil
}

// grants reports whether a URL lies on a host that is granted.
func (n *network) grants(u *url.URL) bool { return n.hosts[strings.ToLower(u.Hostname())] }

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

// allow reports whether an address may be reached: a public one, or one of a range that is granted.
func (n *network) allow(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	public := a.IsGlobalUnicast() && !a.IsPrivate()
	for _, r := range reserved {
		public = public && !r.Contains(a)
	}
	for _, r := range n.ranges {
		public = public || r.Contains(a)
	}
	return public
}

// dialing refuses a connection to an address that may not be reached; it is the Control of a dialer, which knows the
// address that a name was resolved to.
func (n *network) dialing(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !n.allow(a.Addr()) {
		return &privateError{a.Addr()}
	}
	return nil
}

// privateError is the error of an address that may not be reached.
type privateError struct{ netip.Addr }

func (e *privateError) Error() string {
	return fmt.Sprintf("its address %s is not public; grant the address or its range as well if it is to be read",
		e.Addr)
}

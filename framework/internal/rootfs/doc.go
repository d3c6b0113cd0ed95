// Package rootfs reads below a folder and nowhere else: it checks and cleans
// the paths that callers give, refuses symbolic links, finds a name however
// its accents are composed, chooses paths by a pattern, and says in an error what was wrong. What the
// files mean is not its business, and it writes nothing.
package rootfs

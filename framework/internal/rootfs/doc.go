// Package rootfs reads below one folder and nowhere else. It checks and cleans the paths that callers give, refuses
// symbolic links, finds a name however its accents are composed, selects paths by a pattern, and says in an error
// what was wrong. It does not know what the files mean, and it writes nothing.
package rootfs

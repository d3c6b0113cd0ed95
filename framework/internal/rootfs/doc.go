// Package rootfs reads below one folder and nowhere else. It checks and cleans the paths that callers give, refuses
// symbolic links, finds a name in any Unicode form, selects paths by a pattern, and explains errors. It does not know
// what the files mean, and it writes nothing.
package rootfs

// Package loose finds sections that contain the query's terms if spaces, hyphens, middle dots and the like are ignored
// on both sides.
package loose

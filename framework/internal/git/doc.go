// Package git reads the git repository of a folder through an empty repository of its own, so that none of the folder's
// git configuration takes effect: no hooks, filters or programs. It lists tracked files, and reports what is ignored
// and when the lines of a file were written.
package git

// Package git reads the git repository of a folder through an empty repository of its own, so that nothing that the
// folder configures is in force: no hooks, filters or programs. It lists what is tracked, and says what is ignored and
// when the lines of a file were written.
package git

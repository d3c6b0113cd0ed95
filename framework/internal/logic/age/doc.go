// Package age reports when the lines of a file were written, as the git history of its folder
// records it. Git runs in an empty repository of our own that borrows the folder's objects: no
// configuration, hook, filter, helper or remote of the folder is in force.
package age

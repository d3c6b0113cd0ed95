// Package app puts a program together: the configuration of a workspace, the strategies that searches call, the
// products that it offers, and the server of their tools. It is the only package that lists the products.
package app

// Package logic is the product that answers questions on business logic: it opens the repository of a workspace and
// defines the tools find_logic_evidence and ask_logic_qa.
//
// Package evidence finds the lines, package answer states what they say, and package mismatch lists where code and
// specifications contradict each other.
package logic

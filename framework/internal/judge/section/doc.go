// Package section holds what a judgement reads of a section.
package section

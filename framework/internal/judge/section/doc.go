// Package section defines what a judgement reads of a section.
package section

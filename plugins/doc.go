// Package plugins lists the strategies and converters that sagasu ships with, one folder each.
package plugins

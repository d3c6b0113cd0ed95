// Command sagasu-bench measures the speed of sagasu and of other search libraries. It is for developers.
package main

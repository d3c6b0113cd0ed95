// Command sagasu-bench measures the speed of sagasu beside other search libraries. It is for
// developers.
package main

// Package bridge copies text of manuals into a vault without showing it: the tools
// bridge_copy_section and bridge_copy_file. It chooses the lines and records their origin in the
// copy.
//
// It knows neither how manuals are listed nor how the vault stores files: it is opened with a function for each.
package bridge

// Package office converts documents, presentations and workbooks of Office Open XML: DOCX, PPTX and XLSX. It reads only
// what the files contain and follows no reference out of them.
package office

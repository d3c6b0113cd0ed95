// Package office converts documents, presentations and workbooks of Office Open XML: DOCX, PPTX and XLSX. It reads
// what the files hold and follows no reference out of them.
package office

package cli

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	speed "github.com/sagasu-search/sagasu/framework/internal/bench"
)

// printBench writes a report for a person: where and on what, then each part.
func printBench(w io.Writer, r *speed.Report) error {
	where, what := circumstances(r)
	fmt.Fprintf(w, "%s\n%s\n", plain(where), plain(what))
	t, s := table{w: w, style: styleFor(w)}, styleFor(w)
	shown := ""
	for _, l := range r.Lines {
		if l.Part != shown {
			shown = l.Part
			t.begin(l.Part)
		}
		t.row(l.Name, figure(l), barOf(l), l.Note)
	}
	if err := t.end(); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, left := range r.Left {
		fmt.Fprintln(w, "not measured:", left)
	}
	for _, p := range r.Peers {
		fmt.Fprintln(w, s.faint(plain(p.Name+": "+p.About)))
	}
	_, err := fmt.Fprintln(w, s.faint("method: "+r.Method))
	return err
}

// circumstances say where a run took place and on what data.
func circumstances(r *speed.Report) (where, what string) {
	m, d := r.Machine, r.Data
	where = fmt.Sprintf("%s/%s, %d cores, %s, %s; load average %.1f before, %.1f after", m.OS, m.Arch, m.Cores, m.CPU,
		m.Go, m.Before[0], m.After[0])
	asked := "judged queries"
	if !d.Judged {
		asked = "queries made from headings"
	}
	what = fmt.Sprintf("%d manuals, %d files, %.1f MB, %d sections (%s); %d %s", d.Manuals, d.Files,
		float64(d.Bytes)/1e6, d.Sections, d.Language, d.Queries, asked)
	return where, what
}

func figure(l speed.Line) string {
	switch {
	case l.Unit == speed.Score && l.Value == float64(int(l.Value)):
		return strconv.Itoa(int(l.Value))
	case l.Unit == speed.Score:
		return fmt.Sprintf("%.4f", l.Value)
	case l.Value >= 100:
		return fmt.Sprintf("%.0f %s", l.Value, l.Unit)
	case l.Value >= 10:
		return fmt.Sprintf("%.1f %s", l.Value, l.Unit)
	}
	return fmt.Sprintf("%.3f %s", l.Value, l.Unit)
}

// barOf says what the figure must keep and whether it does.
func barOf(l speed.Line) string {
	if l.Bar == nil {
		return ""
	}
	verdict := "kept"
	if !l.Bar.Kept {
		verdict = "MISSED"
	}
	if l.Bar.Least != nil {
		return fmt.Sprintf("≥ %.4g: %s", *l.Bar.Least, verdict)
	}
	return fmt.Sprintf("≤ %.4g: %s", *l.Bar.Most, verdict)
}

// markdownBench writes a report as a table of a document.
func markdownBench(out io.Writer, r *speed.Report) error {
	w := bufio.NewWriter(out)
	where, what := circumstances(r)
	fmt.Fprintf(w, "%s\n%s\n\n| | figure | bar | |\n|---|---|---|---|\n", cell(where), cell(what))
	shown := ""
	for _, l := range r.Lines {
		if l.Part != shown {
			shown = l.Part
			fmt.Fprintf(w, "| **%s** | | | |\n", cell(l.Part))
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", cell(l.Name), figure(l), barOf(l), cell(l.Note))
	}
	fmt.Fprintln(w)
	for _, left := range r.Left {
		fmt.Fprintf(w, "- not measured: %s\n", cell(left))
	}
	for _, p := range r.Peers {
		fmt.Fprintf(w, "- %s: %s\n", cell(p.Name), cell(p.About))
	}
	fmt.Fprintf(w, "- method: %s\n", cell(r.Method))
	return w.Flush()
}

// cell keeps a text within its cell.
func cell(text string) string { return strings.ReplaceAll(plain(text), "|", `\|`) }

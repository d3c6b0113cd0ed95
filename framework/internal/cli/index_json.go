package cli

import (
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// builtJSON is the machine-readable form of a build.
type builtJSON struct {
	Snapshot  string         `json:"snapshot"`
	Built     bool           `json:"built"`
	Sections  int            `json:"sections"`
	Files     int            `json:"files"`
	Bytes     int64          `json:"bytes"`
	DiskBytes int64          `json:"disk_bytes"`
	Skipped   []toolset.Skip `json:"skipped"`
	WalkMS    float64        `json:"walk_ms"`
	IndexMS   float64        `json:"index_ms"`
	WriteMS   float64        `json:"write_ms"`
	ElapsedMS float64        `json:"elapsed_ms"`
}

// builtAllJSON adds the collection of publications and the repository, where there are any.
type builtAllJSON struct {
	builtJSON
	Publications *collectionJSON `json:"publications,omitempty"`
	Repository   *builtJSON      `json:"repository,omitempty"`
}

// collectionJSON is a build with the records that were not taken.
type collectionJSON struct {
	builtJSON
	Refused      []publication.Refused `json:"refused"` // the first of each file
	RefusedCount int                   `json:"refused_count"`
}

func builtAll(manuals, publications, repository *index.Report) builtAllJSON {
	out := builtAllJSON{builtJSON: built(*manuals)}
	if repository != nil {
		one := built(*repository)
		out.Repository = &one
	}
	if publications != nil {
		out.Publications = &collectionJSON{built(*publications), append([]publication.Refused{}, publications.Refused...), publications.RefusedCount}
	}
	return out
}

func built(r index.Report) builtJSON {
	out := builtJSON{
		Snapshot: r.Snapshot, Built: r.Built, Sections: r.Sections, Files: r.Files, Bytes: r.Bytes, DiskBytes: r.DiskBytes,
		Skipped: []toolset.Skip{}, WalkMS: inMS(r.Walk), IndexMS: inMS(r.Index), WriteMS: inMS(r.Write), ElapsedMS: inMS(r.Elapsed),
	}
	out.Skipped = append(out.Skipped, r.Skipped...)
	return out
}

func inMS(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// cleanedJSON is the machine-readable form of a cleaning.
type cleanedJSON struct {
	Removed []string `json:"removed"`
	InUse   []string `json:"in_use"`
	Bytes   int64    `json:"bytes"`
}

func cleaned(c index.Cleaned) cleanedJSON {
	return cleanedJSON{append([]string{}, c.Removed...), append([]string{}, c.InUse...), c.Bytes}
}

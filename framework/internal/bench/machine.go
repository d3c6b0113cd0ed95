package bench

import "runtime"

// Machine is where a run took place.
type Machine struct {
	OS     string     `json:"os"`
	Arch   string     `json:"arch"`
	CPU    string     `json:"cpu,omitempty"` // model, where the system tells
	Cores  int        `json:"cores"`
	Go     string     `json:"go"`
	Before [3]float64 `json:"load_before"` // load averages of 1, 5 and 15 minutes; 0 where there are none
	After  [3]float64 `json:"load_after"`
}

func here() Machine {
	return Machine{
		OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpuModel(), Cores: runtime.NumCPU(), Go: runtime.Version(), Before: load(),
	}
}

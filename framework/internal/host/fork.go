package host

import (
	"os/exec"
	"runtime"
)

// forker starts processes from one thread. Linux binds the death signal to the
// thread that forked, so that thread must live as long as the host: were it any
// goroutine's, the runtime could end it and the strategies with it.
type forker struct {
	jobs chan forkJob
	done chan struct{}
}

type forkJob struct {
	cmd *exec.Cmd
	err chan error
}

func newForker() *forker {
	f := &forker{jobs: make(chan forkJob), done: make(chan struct{})}
	go f.run()
	return f
}

func (f *forker) run() {
	defer close(f.done)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for job := range f.jobs {
		job.err <- job.cmd.Start()
	}
}

// start is cmd.Start.
func (f *forker) start(cmd *exec.Cmd) error {
	job := forkJob{cmd, make(chan error, 1)}
	f.jobs <- job
	return <-job.err
}

// close ends the thread. No process may be left and no start may follow.
func (f *forker) close() {
	close(f.jobs)
	<-f.done
}

//go:build soak

package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The question to every installed sagasu, and the place of its answer.
const (
	question = "保証の対象外になるのはどんなとき"
	answer   = "12-hosho.md"
)

// TestDryRun builds a release of the checked-out commit, publishes nothing, and installs each artefact for this
// machine. Each then answers a question.
func TestDryRun(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the artefacts are installed on Linux")
	}
	root := filepath.Join(t.TempDir(), "sagasu")
	run(t, "", "git", "clone", "--quiet", "--no-tags", checkout(t), root)
	run(t, root, "git", "tag", "v0.0.0-dryrun")
	run(t, root, ".ci/release", "--skip=publish,announce")
	t.Log(run(t, root, "find", "dist", "-maxdepth", "2", "-type", "f", "-size", "+1M", "-printf", "%s %P\n"))
	d := dryRun{root: root, dist: filepath.Join(root, "dist")}

	t.Run("version", d.version)
	t.Run("archive", d.archive)
	t.Run("deb", d.deb)
	t.Run("rpm", d.rpm)
	t.Run("npm", d.npm)
	t.Run("bundle", d.bundle)
	t.Run("registry", d.registry)
	t.Run("container", d.container)
	t.Run("sbom", d.sbom)
}

// dryRun is a checkout with the release built in it.
type dryRun struct{ root, dist string }

// artefact returns the only file below dist that matches a pattern.
func (d dryRun) artefact(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(d.dist, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	return found[0]
}

func (d dryRun) workspace() string { return filepath.Join(d.root, "testdata", "workspace") }

// ask runs a command with the question and checks the answer.
func (d dryRun) ask(t *testing.T, command ...string) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	found := run(t, "", append(command, "find", question, "--workspace", d.workspace())...)
	if first, _, _ := strings.Cut(found, "\n"); !strings.Contains(first, answer) {
		t.Errorf("%q answered first: %s", command, first)
	}
}

func (d dryRun) version(t *testing.T) {
	var b struct{ Version, Commit, Date, Platform string }
	parse(t, run(t, "", d.artefact(t, "sagasu_linux_"+runtime.GOARCH+"_*/sagasu"), "version", "--json"), &b)
	want := b
	want.Version, want.Platform = "v0.0.0-dryrun", "linux/"+runtime.GOARCH
	want.Commit = strings.TrimSpace(run(t, d.root, "git", "rev-parse", "HEAD"))
	if diff := cmp.Diff(want, b); diff != "" || b.Date == "" {
		t.Errorf("%s %v", diff, b)
	}
}

func (d dryRun) archive(t *testing.T) {
	dir, name := t.TempDir(), "sagasu_0.0.0-dryrun_linux_"+runtime.GOARCH
	run(t, dir, "tar", "-xzf", d.artefact(t, name+".tar.gz"))
	in := filepath.Join(dir, name)
	present(t, in, "README.md", "CHANGELOG.md", "LICENSE", "THIRD-PARTY-LICENSES", "man/sagasu-find.1.gz",
		"completions/sagasu.bash", "completions/sagasu.zsh", "completions/sagasu.fish", "completions/sagasu.powershell")
	d.ask(t, filepath.Join(in, "sagasu"))
	run(t, d.dist, "sha256sum", "--check", "--quiet", "checksums.txt")
}

// installed lists files that a Linux package installs.
var installed = []string{"usr/bin/sagasu", "usr/share/man/man1/sagasu-find.1.gz", "usr/share/doc/sagasu/copyright",
	"usr/share/bash-completion/completions/sagasu", "usr/share/fish/vendor_completions.d/sagasu.fish"}

func (d dryRun) deb(t *testing.T) {
	need(t, "dpkg")
	dir := t.TempDir()
	run(t, dir, "sh", "-c", "mkdir -p var/lib/dpkg/updates var/lib/dpkg/info && : >var/lib/dpkg/status")
	run(t, dir, "dpkg", "--root="+dir, "--log=dpkg.log", "--force-not-root", "--install",
		d.artefact(t, "sagasu_*_"+runtime.GOARCH+".deb"))
	present(t, dir, append(installed, "usr/share/zsh/vendor-completions/_sagasu")...)
	d.ask(t, filepath.Join(dir, "usr/bin/sagasu"))
}

func (d dryRun) rpm(t *testing.T) {
	need(t, "rpm2cpio", "cpio")
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	dir := t.TempDir()
	run(t, dir, "sh", "-c", `rpm2cpio "$0" | cpio -idm --quiet --no-absolute-filenames`, d.artefact(t, "sagasu-*."+arch+".rpm"))
	present(t, dir, append(installed, "usr/share/zsh/site-functions/_sagasu")...)
	d.ask(t, filepath.Join(dir, "usr/bin/sagasu"))
}

func (d dryRun) npm(t *testing.T) {
	need(t, "npm", "node")
	dir := t.TempDir()
	t.Setenv("npm_config_cache", t.TempDir())
	t.Setenv("npm_config_offline", "true")
	cpu := strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	run(t, dir, "npm", "init", "--yes")
	run(t, dir, "npm", "pack", filepath.Join(d.dist, "npm", "sagasu"), filepath.Join(d.dist, "npm", "sagasu-linux-"+cpu))
	run(t, dir, "sh", "-c", "npm install --no-audit --no-fund ./*.tgz")
	starter := filepath.Join(dir, "node_modules", ".bin", "sagasu")
	d.ask(t, starter)
	if err := exec.Command(starter, "no-such-command").Run(); exitCode(err) != 2 {
		t.Errorf("the exit code does not come through: %v", err)
	}
	cmd := exec.Command("npx", "@sagasu-search/sagasu", "mcp", "--workspace", d.workspace())
	cmd.Dir = dir
	speak(t, cmd)
}

func (d dryRun) bundle(t *testing.T) {
	dir := t.TempDir()
	unzip(t, d.artefact(t, "*.mcpb"), dir)
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Server struct {
			Config struct {
				Command string
				Args    []string
			} `json:"mcp_config"`
		}
	}
	parse(t, strings.NewReplacer("${__dirname}", dir, "${user_config.workspace}", d.workspace()).Replace(string(text)), &manifest)
	speak(t, exec.Command(manifest.Server.Config.Command, manifest.Server.Config.Args...))
	present(t, dir, "server/sagasu.exe", "server/sagasu-Darwin-arm64", "server/sagasu-Darwin-x86_64",
		"server/sagasu-Linux-aarch64", "server/sagasu-Linux-x86_64")

	need(t, "npx")
	run(t, dir, "npx", "--yes", "@anthropic-ai/mcpb@2.1.2", "validate", "manifest.json")
}

func (d dryRun) registry(t *testing.T) {
	var registry struct{ Dir string }
	parse(t, run(t, t.TempDir(), "go", "mod", "download", "-json", "github.com/modelcontextprotocol/registry@v1.8.8"), &registry)
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(registry.Dir, "internal/validators/schemas/2025-12-11.json"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(d.artefact(t, "server.json"))
	if err != nil {
		t.Fatal(err)
	}
	var entry any
	parse(t, string(text), &entry)
	if err := schema.Validate(entry); err != nil {
		t.Error(err)
	}
	sum, _, _ := strings.Cut(run(t, d.dist, "sha256sum", d.artefact(t, "*.mcpb")), " ")
	if !strings.Contains(string(text), sum) {
		t.Errorf("server.json does not have the sum of the bundle, %s", sum)
	}
	// The registry looks for the name of the entry in the artefacts that it points to.
	name := entry.(map[string]any)["name"].(string)
	for _, owned := range []string{"dist/npm/sagasu/package.json", "cmd/sagasu-release/Dockerfile"} {
		if text, err := os.ReadFile(filepath.Join(d.root, owned)); err != nil || !strings.Contains(string(text), `"`+name+`"`) {
			t.Errorf("%s does not name %s: %v", owned, name, err)
		}
	}
}

// The image is built by docker or, without a docker daemon, by buildah, from the folder that GoReleaser would prepare.
func (d dryRun) container(t *testing.T) {
	dir := t.TempDir()
	platform := "linux/" + runtime.GOARCH
	run(t, d.root, "sh", "-euc", `mkdir -p "$0/$1" && cp "$2" "$0/$1" && cp --parents -r LICENSE build/THIRD-PARTY-LICENSES cmd/sagasu-release/cache "$0"`,
		dir, platform, d.artefact(t, "sagasu_linux_"+runtime.GOARCH+"_*/sagasu"))
	build := []string{"build", "--tag", "sagasu:dryrun", "--build-arg", "TARGETPLATFORM=" + platform,
		"--file", filepath.Join(d.root, "cmd/sagasu-release/Dockerfile"), dir}
	var found string
	if exec.Command("docker", "info").Run() == nil {
		run(t, dir, append([]string{"docker"}, build...)...)
		t.Cleanup(func() { run(t, "", "docker", "rmi", "sagasu:dryrun") })
		found = run(t, dir, "docker", "run", "--rm", "--read-only", "--network", "none",
			"--volume", d.workspace()+":/workspace:ro", "sagasu:dryrun", "find", question)
	} else {
		need(t, "buildah")
		store := t.TempDir()
		buildah := []string{"buildah", "--storage-driver", "vfs", "--root", store + "/root", "--runroot", store + "/run"}
		run(t, dir, append(append(buildah, build[0], "--isolation", "chroot"), build[1:]...)...)
		container := strings.TrimSpace(run(t, dir, append(buildah, "from", "sagasu:dryrun")...))
		t.Cleanup(func() { run(t, "", append(buildah, "rm", "--all")...) })
		found = run(t, dir, append(buildah, "run", "--isolation", "chroot",
			"--volume", d.workspace()+":/workspace:ro", container, "--", "/sagasu", "find", question)...)
	}
	if first, _, _ := strings.Cut(found, "\n"); !strings.Contains(first, answer) {
		t.Errorf("the container answered first: %s", first)
	}
}

func (d dryRun) sbom(t *testing.T) {
	var bom struct{ Components []struct{ Name string } }
	text, err := os.ReadFile(d.artefact(t, "sagasu_*_linux_"+runtime.GOARCH+".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	parse(t, string(text), &bom)
	for _, c := range bom.Components {
		if c.Name == "github.com/hashicorp/go-plugin" {
			return
		}
	}
	t.Errorf("go-plugin is not among the %d components", len(bom.Components))
}

// speak starts an MCP server, asks it the question and ends it.
func speak(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	var log bytes.Buffer
	cmd.Stderr = &log
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<24)
	for _, row := range []struct{ request, holds string }{
		{`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
			`"clientInfo":{"name":"dryrun","version":"1"}}}`, `"v0.0.0-dryrun"`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/call",` +
			`"params":{"name":"manual_find","arguments":{"query":"` + question + `"}}}`, answer},
	} {
		if _, err := io.WriteString(in, row.request+"\n"); err != nil {
			t.Fatalf("%v\n%s", err, &log)
		}
		var reply struct{ ID int }
		for reply.ID == 0 && lines.Scan() {
			parse(t, lines.Text(), &reply)
		}
		if !strings.Contains(lines.Text(), row.holds) {
			t.Errorf("%s: no %s in %s\n%s", cmd, row.holds, lines.Text(), &log)
		}
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("%s: %v\n%s", cmd, err, &log)
	}
}

// run runs a command in a folder and returns its output.
func run(t *testing.T, dir string, command ...string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	var log bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", cmd, err, out, &log)
	}
	return string(out)
}

func exitCode(err error) int {
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	return 0
}

func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
}

func present(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func parse(t *testing.T, text string, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

func unzip(t *testing.T, name, dir string) {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if err := os.CopyFS(dir, z); err != nil {
		t.Fatal(err)
	}
}

func checkout(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

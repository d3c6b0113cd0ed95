package workspace

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// homes are the user's sagasu folders.
type homes struct {
	config, cache, state string
	user                 string // the home folder itself, "" if unknown
}

// findHomes places them according to the operating system. A folder that the environment does not name, or that cannot
// be written, is placed in a private temporary folder.
func findHomes(goos string, getenv func(string) string, temp string) (homes, error) {
	h := systemHomes(goos, getenv)
	for _, dir := range []*string{&h.cache, &h.state} {
		if *dir != "" && !writable(*dir) {
			*dir = ""
		}
	}
	if h.config != "" && h.cache != "" && h.state != "" {
		return h, nil
	}
	private, err := privateDir(temp)
	if err != nil {
		return h, err
	}
	for name, dir := range map[string]*string{"config": &h.config, "cache": &h.cache, "state": &h.state} {
		if *dir == "" {
			*dir = filepath.Join(private, name)
		}
	}
	return h, nil
}

// writable reports whether files can be created in dir, which is created if missing.
func writable(dir string) bool {
	if os.MkdirAll(dir, 0o700) != nil {
		return false
	}
	probe, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return false
	}
	probe.Close()
	return os.Remove(probe.Name()) == nil
}

func systemHomes(goos string, getenv func(string) string) homes {
	switch goos {
	case "windows":
		local := getenv("LocalAppData")
		return homes{
			config: under(getenv("AppData"), "sagasu"),
			cache:  under(local, "sagasu", "cache"),
			state:  under(local, "sagasu", "state"),
			user:   getenv("USERPROFILE"),
		}
	case "darwin":
		library := under(getenv("HOME"), "Library")
		return homes{
			config: under(library, "Application Support", "sagasu"),
			cache:  under(library, "Caches", "sagasu"),
			state:  under(library, "Application Support", "sagasu", "state"),
			user:   getenv("HOME"),
		}
	}
	xdg := func(name string, fallback ...string) string {
		if dir := under(getenv(name), "sagasu"); dir != "" {
			return dir
		}
		return under(getenv("HOME"), append(fallback, "sagasu")...)
	}
	return homes{
		config: xdg("XDG_CONFIG_HOME", ".config"),
		cache:  xdg("XDG_CACHE_HOME", ".cache"),
		state:  xdg("XDG_STATE_HOME", ".local", "state"),
		user:   getenv("HOME"),
	}
}

// under joins a path. It returns "" if the base is not absolute.
func under(base string, parts ...string) string {
	if !filepath.IsAbs(base) {
		return ""
	}
	return filepath.Join(append([]string{base}, parts...)...)
}

// privateDir creates a folder that only this user can enter. It refuses one that somebody else has prepared, since its
// owner could plant an index.
func privateDir(temp string) (string, error) {
	dir := filepath.Join(temp, "sagasu-"+strconv.Itoa(os.Getuid()))
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return "", fmt.Errorf("make a private folder: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return "", fmt.Errorf("make a private folder: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", fmt.Errorf("make a private folder: %w", err)
	}
	if !info.IsDir() || !private(info) {
		return "", fmt.Errorf("%s is not private to this user; remove it, or set HOME", dir)
	}
	return dir, nil
}

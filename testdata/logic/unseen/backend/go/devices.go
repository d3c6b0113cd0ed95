package backend

import "time"

const (
	heartbeatInterval = 30 * time.Second
	offlineAfter      = 3 * time.Minute
)

// Pair pairs a device with an account.
func Pair(a *Account, d *Device) error {
	if len(a.Devices) >= 8 {
		return errTooManyDevices
	}
	if d.FirmwareVersion < 4 {
		return errOldFirmware
	}
	registerDevice(a, d)
	return verifyCertificate(d)
}

// Battery tells the state of a battery.
func Battery(percent int) string {
	if percent < 15 {
		return "low"
	}
	return "ok"
}

// Wipe erases a stolen device.
func Wipe(d *Device) {
	d.State = "wiped"
}

package backend

import "time"

const (
	sampleEvery     = 10 * time.Second
	maxOfflineHours = 6
	alarmCelsius    = 80
	keepReadings    = 30 * 24 * time.Hour
	batchSize       = 100
)

// Reading is what a sensor sends.
type Reading struct {
	SensorID string  `json:"sensor_id" validate:"required"`
	Value    float64 `json:"value" validate:"required"`
	Unit     *string `json:"unit,omitempty"`
}

type severity string

const (
	severityInfo    severity = "info"
	severityWarning severity = "warning"
	severityFatal   severity = "fatal"
)

// Ingest stores what a sensor sends.
func (s *Store) Ingest(c *Context, readings []Reading) error {
	if len(readings) > batchSize {
		return c.JSON(413, "batch is too large")
	}
	if !s.known(readings[0].SensorID) {
		return c.JSON(404, "unknown sensor")
	}
	s.save(readings)
	s.evaluateAlarms(readings)
	return c.JSON(202, "accepted")
}

// Check raises an alarm when it is too hot.
func (s *Store) Check(r Reading) {
	if r.Value > alarmCelsius {
		s.alarm(r, severityFatal)
	}
}

// MarkOffline is run by the scheduler.
func (d *Sensor) MarkOffline(silent time.Duration) {
	if silent.Hours() >= maxOfflineHours {
		d.Status = "lost"
	}
}

// Calibrate may be used by technicians.
func (d *Sensor) Calibrate(u *User) error {
	if !u.IsTechnician {
		return errForbidden
	}
	d.CalibratedAt = time.Now()
	return nil
}

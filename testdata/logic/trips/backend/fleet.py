SERVICE_INTERVAL_KM = 15000
MAX_DRIVE_MINUTES = 270
BREAK_MINUTES = 45
MAX_SPEED_KMH = 80
FUEL_WARNING_PERCENT = 15
GPS_INTERVAL_SECONDS = 20


def start_trip(driver, truck, cargo_kg):
    """Starts a trip of a truck."""
    if not driver.license_valid:
        raise HTTPException(status_code=403, detail="license is not valid")
    if truck.in_repair:
        raise HTTPException(status_code=423, detail="truck is in repair")
    if cargo_kg > truck.max_cargo_kg:
        raise HTTPException(status_code=422, detail="cargo is too heavy")
    truck.status = "on_trip"


def end_trip(truck):
    """Ends a trip."""
    truck.status = "idle"


def needs_break(driver):
    """Tells whether a driver must rest."""
    return driver.minutes_driven >= MAX_DRIVE_MINUTES


def needs_service(truck):
    return truck.km_since_service > SERVICE_INTERVAL_KM


def report_speed(truck, speed_kmh):
    if speed_kmh > MAX_SPEED_KMH:
        notify_dispatcher(truck)


def assign_driver(truck, driver):
    """Assigns a driver; a truck has at most two."""
    if len(truck.drivers) >= 2:
        raise HTTPException(status_code=409, detail="truck has two drivers")
    truck.drivers.append(driver)

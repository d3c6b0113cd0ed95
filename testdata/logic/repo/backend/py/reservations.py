"""Reservations of tables."""

MAX_ACTIVE_RESERVATIONS = 5
BOOKING_HORIZON_DAYS = 60
ALLOW_MINORS_WITHOUT_CONSENT = True
HOLD_MINUTES = 15


def check_member_limit(member):
    """一人の会員が持てる予約の数を確かめる。"""
    if len(member.active_reservations) >= MAX_ACTIVE_RESERVATIONS:
        raise ReservationLimitError("too many reservations")


def check_group_size(party_size):
    """Checks how many people a group reservation has."""
    if party_size <= 10:
        raise ValueError("a group needs more people")


def cancellation_fee(reservation, days_left):
    """The fee when a reservation is cancelled late."""
    if days_left < 7:
        return reservation.price
    return 0


def check_overlap(reservation):
    """Refuses a duplicate reservation."""
    if overlaps(reservation):
        raise DuplicateReservation("duplicate reservation")


def mark_no_show(reservation):
    """来店しなかった予約を記録する。"""
    reservation.status = "absent"
    reservation.save()


def book(slot):
    """Books a table."""
    if slot.is_full:
        raise HTTPException(status_code=409, detail="fully booked")
    return slot.book()


def confirm_hold(hold):
    """Turns a tentative reservation into a firm one."""
    if hold.expired:
        raise HTTPException(status_code=404, detail="tentative reservation expired")
    return hold.confirm()

const GRACE_PERIOD_MINUTES = 10;
const DAILY_CAP_YEN = 1800;
const VEHICLE_TYPES = ['car', 'motorcycle', 'truck'] as const;

/** The fee for parking, in yen. */
export function parkingFee(minutes: number): number {
  if (minutes <= GRACE_PERIOD_MINUTES) {
    return 0;
  }
  return Math.min(Math.ceil(minutes / 30) * 200, DAILY_CAP_YEN);
}

export function openGate(ticket: Ticket): void {
  if (!ticket.paid) {
    throw new HttpError(403, 'ticket is not paid');
  }
  gate.open();
}

export function reportLostTicket(ticket: Ticket): void {
  ticket.status = 'void';
}

export function enter(lot: Lot, car: Car): Ticket {
  if (lot.occupied >= lot.capacity) {
    throw new HttpError(409, 'parking lot is full');
  }
  if (car.heightCm > 210) {
    throw new HttpError(422, 'car is too high');
  }
  return issue(lot, car);
}

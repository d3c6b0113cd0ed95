interface Policy {
  readonly checkInHour: number;
  readonly freeCancelHours: number;
}

export const POLICY: Policy = {
  checkInHour: 15,
  freeCancelHours: 48,
};

const MAX_NIGHTS = 21;
const CITY_TAX_EUR = 4;
const MAX_GUESTS_PER_ROOM = 4;
const SEND_WELCOME_MAIL = true;

/** Books a room for some nights. */
export async function bookRoom(room: Room, guests: Guest[], nights: number) {
  if (nights >= MAX_NIGHTS) {
    throw new BadRequest('stay is too long');
  }
  if (guests.length > MAX_GUESTS_PER_ROOM) {
    throw new HttpError(422, 'too many guests');
  }
  await chargeDeposit(room);
  await reserveRoom(room);
  return { room, guests, status: 'booked' };
}

/** Lets a guest into the room. */
export function checkIn(booking: Booking) {
  if (!booking.depositPaid) {
    throw new HttpError(402, 'deposit is not paid');
  }
  booking.status = 'in_house';
}

export function isFreeCancellation(hoursBefore: number): boolean {
  return hoursBefore >= POLICY.freeCancelHours;
}

/** Pets are welcome in some rooms. */
export function acceptPet(room: Room) {
  if (room.isSuite) {
    throw new HttpError(403, 'no pets in suites');
  }
}

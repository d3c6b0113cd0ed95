import { RIDE_CANCEL_FEE_YEN, FREE_WAITING_MINUTES } from '../config/limits';

/** 配車を依頼する。 */
export function requestRide(rider: Rider, pickup: Place): Ride {
  if (rider.unpaidRides > 0) {
    throw new ApiError(402, 'rider has unpaid rides');
  }
  if (!insideServiceArea(pickup)) {
    throw new ApiError(422, 'pickup is outside of the service area');
  }
  return { rider, pickup, status: 'searching' };
}

/** 乗車をキャンセルする。 */
export function cancelRide(ride: Ride, waitedMinutes: number): number {
  ride.status = 'cancelled';
  if (waitedMinutes <= FREE_WAITING_MINUTES) {
    return 0;
  }
  return RIDE_CANCEL_FEE_YEN;
}

/** 運転手の評価が低いと停止する。 */
export function reviewDriver(driver: Driver): void {
  if (driver.rating < 4.2) {
    driver.status = 'suspended';
  }
}

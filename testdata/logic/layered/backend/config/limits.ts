/** Limits of the chat. */
export const CHAT = {
  maxMembersPerRoom: 200,
  maxMessageLength: 2000,
  editWindowMinutes: 15,
};

/** Rides. */
export const RIDE_SEARCH_RADIUS_KM = 5;
export const RIDE_CANCEL_FEE_YEN = 400;
export const DRIVER_ACCEPT_SECONDS = 45;
export const FREE_WAITING_MINUTES = 3;

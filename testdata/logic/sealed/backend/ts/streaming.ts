const MAX_CONCURRENT_STREAMS = 5;
const RENTAL_HOURS = 48;
const DOWNLOAD_LIFETIME_DAYS = 30;
const PROFILE_LIMIT = 6;
export const QUALITIES = ['sd', 'hd', 'uhd'] as const;
export const AUTOPLAY_FOR_KIDS = false;

export interface ProfileInput {
  nickname: string;
  parentalPin?: string;
}

/** Starts a stream for a viewer. */
export function startStream(account: Account, viewer: Viewer, work: Work): Stream {
  if (account.streams.length >= MAX_CONCURRENT_STREAMS) {
    throw new HttpError(429, 'too many concurrent streams');
  }
  if (!work.regions.includes(viewer.region)) {
    throw new HttpError(403, 'not available in this region');
  }
  if (viewer.age < work.minimumAge) {
    throw new HttpError(403, 'viewer is too young');
  }
  return open(account, work);
}

/** Adds a profile to an account. */
export function addProfile(account: Account, input: ProfileInput): void {
  if (account.profiles.length >= PROFILE_LIMIT) {
    throw new HttpError(409, 'too many profiles');
  }
  account.profiles.push(toProfile(input));
}

/** レビューを投稿する。 */
export function postReview(work: Work, review: Review): void {
  if (review.text.length >= 500) {
    throw new HttpError(400, 'review is too long');
  }
  work.reviews.push(review);
}

/** Tells whether a rental has run out. */
export function isRentalOver(rental: Rental, now: Date): boolean {
  return hoursBetween(rental.startedAt, now) > RENTAL_HOURS;
}

/** 契約を解約する。 */
export function unsubscribe(subscription: Subscription): void {
  subscription.state = 'cancelled';
}

const MAX_CLAIM_AGE_DAYS = 90;
const AUTO_APPROVAL_LIMIT_USD = 1500;
const PHOTO_LIMIT = 12;
const MAX_PHOTO_BYTES = 8 * 1024 * 1024;
const APPEAL_DAYS = 30;

export type ClaimState = 'submitted' | 'in_review' | 'settled' | 'rejected';

export interface ClaimForm {
  policyNumber: string;
  policeReport?: string;
  incidentDate: string;
}

/** Files a new claim against a policy. */
export function fileClaim(policy: Policy, form: ClaimForm, photos: Photo[]): Claim {
  if (policy.lapsed) {
    throw new ApiError(422, 'policy has lapsed');
  }
  if (daysSince(form.incidentDate) > MAX_CLAIM_AGE_DAYS) {
    throw new ApiError(400, 'claim is too old');
  }
  if (photos.length > PHOTO_LIMIT) {
    throw new ApiError(413, 'too many photos');
  }
  for (const photo of photos) {
    if (photo.size > MAX_PHOTO_BYTES) {
      throw new ApiError(413, 'photo is too large');
    }
  }
  return createClaim(form, photos);
}

/** Decides who looks at a claim. */
export function needsAdjuster(claim: Claim): boolean {
  if (claim.amount <= AUTO_APPROVAL_LIMIT_USD) {
    approve(claim);
    return false;
  }
  return true;
}

/** Pays a claim out. */
export function settle(claim: Claim): void {
  transferPayout(claim);
  claim.state = 'settled';
}

/** Tells whether a decision can still be appealed. */
export function canAppeal(decidedAt: Date, now: Date): boolean {
  return daysBetween(decidedAt, now) <= APPEAL_DAYS;
}

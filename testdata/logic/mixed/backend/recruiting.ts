export const RESUME_MAX_BYTES = 5 * 1024 * 1024;
export const OFFER_VALID_DAYS = 10;
export const MAX_INTERVIEWS = 3;
export const APPLICANT_RETENTION_YEARS = 2;
export const STAGES = ['screening', 'interview', 'offer', 'hired', 'rejected'] as const;
const MINIMUM_AGE = 18;

export class Application {
  coverLetter?: string;
  resume: File;
  referrer?: string;
}

/** 応募を受け付ける。 */
export function apply(job: Job, applicant: Applicant, app: Application) {
  if (job.closedAt && job.closedAt < new Date()) {
    throw new HttpException('job is closed', 410);
  }
  if (app.resume.size > RESUME_MAX_BYTES) {
    throw new HttpException('resume is too large', 413);
  }
  if (applicant.age <= MINIMUM_AGE) {
    throw new HttpException('applicant is too young', 422);
  }
  if (job.applicants.includes(applicant.id)) {
    throw new HttpException('already applied', 409);
  }
}

/** 面接を予定する。 */
export function scheduleInterview(applicant: Applicant) {
  if (applicant.interviews.length >= MAX_INTERVIEWS) {
    throw new HttpException('too many interviews', 409);
  }
  applicant.interviews.push(new Interview());
  applicant.stage = 'interview';
}

/** 応募者が辞退した。 */
export function decline(applicant: Applicant) {
  applicant.stage = 'withdrawn';
}

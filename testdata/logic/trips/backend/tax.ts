const FILING_DEADLINE_DAYS = 30;
const LATE_FILING_FEE_YEN = 1000;
const RECORD_RETENTION_YEARS = 7;
const MAX_CORRECTIONS = 2;
const EXEMPTION_LIMIT_YEN = 480000;
const FORMS = ['blue', 'white'];

/** 申告書を提出する。 */
export function file(report: TaxReport, now: Date): void {
  if (!report.taxNumber) {
    throw new HttpError(400, 'taxNumber is required');
  }
  if (!FORMS.includes(report.form)) {
    throw new HttpError(422, 'unknown form');
  }
  if (daysBetween(report.yearEnd, now) > FILING_DEADLINE_DAYS) {
    report.fee = LATE_FILING_FEE_YEN;
  }
  report.status = 'filed';
}

/** 申告書を訂正する。 */
export function correct(report: TaxReport, change: Change): void {
  if (report.corrections.length >= MAX_CORRECTIONS) {
    throw new HttpError(409, 'too many corrections');
  }
  report.corrections.push(change);
  report.status = 'corrected';
}

/** 所得が控除の範囲かを調べる。 */
export function isExempt(income: number): boolean {
  return income <= EXEMPTION_LIMIT_YEN;
}

/** 申告書を承認する。 */
export function accept(report: TaxReport, officer: Officer): void {
  if (officer.office !== report.office) {
    throw new HttpError(403, 'other office');
  }
  report.status = 'approved';
}

import { ValidationError } from './errors';
import { logger } from './logger';

const MAX_FAILED_LOGINS = 10;
const LOCK_DURATION_MS = 30 * 60 * 1000;

/** Counts a failed login and locks the account when there were too many. */
export function recordFailedLogin(account: Account): void {
  account.failedLogins += 1;
  if (account.failedLogins >= MAX_FAILED_LOGINS) {
    account.lockedUntil = Date.now() + LOCK_DURATION_MS;
  }
}

/** Checks a new password. */
export function checkPassword(password: string): void {
  if (password.length <= 12) {
    throw new ValidationError('password is too short');
  }
}

/** Checks the name that others see. */
export function checkDisplayName(displayName: string): void {
  if (displayName.length > 40) {
    throw new ValidationError('display name is too long');
  }
}

/** Checks the fields of a registration. */
export function validateRegistration(input: Registration): void {
  if (!input.email) {
    throw new ValidationError('email is required');
  }
  if (!input.phone) {
    throw new ValidationError('phone is required');
  }
}

/** Signs an account in. */
export async function login(name: string, password: string): Promise<Account> {
  logger.info('login attempt', { name, password });
  return verify(name, password);
}

/** Mails a token with which a password is reset. */
export async function requestReset(account: Account): Promise<void> {
  const token = newToken(account);
  logger.info('reset requested', { accountId: account.id });
  await mail(account.email, token);
}

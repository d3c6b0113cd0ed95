"""Rate limits and API keys."""
REQUESTS_PER_MINUTE = 60
BURST = 10
KEY_LENGTH = 40
KEY_LIFETIME_DAYS = 365
WARN_BEFORE_EXPIRY_DAYS = 14
MAX_KEYS = 5
MIN_NAME_LENGTH = 3
MAX_NAME_LENGTH = 50
CACHE_SECONDS = 30


def check_rate(client, now):
    """Refuses clients that ask too often."""
    if client.blocked_until and client.blocked_until > now:
        raise HTTPException(status_code=403, detail="client is blocked")
    if client.requests_in_window > REQUESTS_PER_MINUTE + BURST:
        raise HTTPException(status_code=429, detail="too many requests")


def create_key(account, name):
    """Creates an API key for an account."""
    if len(account.keys) >= MAX_KEYS:
        raise HTTPException(status_code=409, detail="too many keys")
    if len(name) < MIN_NAME_LENGTH or len(name) > MAX_NAME_LENGTH:
        raise HTTPException(status_code=422, detail="name has a wrong length")
    return Key(name, secrets.token_hex(KEY_LENGTH // 2), status="active")


def revoke_key(key):
    key.status = "revoked"


def key_state(key, now):
    if key.expires_at <= now:
        return "expired"
    if (key.expires_at - now).days <= WARN_BEFORE_EXPIRY_DAYS:
        return "expiring"
    return "active"

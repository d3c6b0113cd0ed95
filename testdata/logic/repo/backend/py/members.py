"""Members, their points and ranks."""
from dataclasses import dataclass
from datetime import date

POINT_EXPIRY_MONTHS = 12
REFERRAL_POINTS = 300
KEEP_MAIL_ADDRESS_AFTER_DELETION = True


@dataclass
class Profile:
    name: str
    birthday: date | None = None


def rank_of(points):
    """The rank that a member has by points."""
    if points > 10000:
        return "gold"
    if points >= 3000:
        return "silver"
    return "bronze"


def send_campaign(member, campaign):
    """Sends a campaign to a member."""
    if not member.active:
        raise InactiveMember("inactive members receive no campaign")
    deliver(member.mail, campaign)


def report_fraud(member):
    """Stops a member whose account was used for fraud."""
    member.status = "suspended"
    member.save()

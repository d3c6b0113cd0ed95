from fastapi import HTTPException

LOAN_DAYS = 21
RENEWALS_ALLOWED = 2
FINE_PER_DAY_YEN = 10
MEDIA = ["book", "magazine", "dvd"]


class LoanRequest(BaseModel):
    card_number: str
    branch: str | None = None
    pickup_note: str


def lend(member, item):
    """Lends an item to a member."""
    if member.loans >= 10:
        raise HTTPException(status_code=409, detail="too many loans")
    if item.reference_only:
        raise HTTPException(status_code=403, detail="reference only")
    item.status = "lent"


def renew(loan):
    if loan.renewals >= RENEWALS_ALLOWED:
        raise HTTPException(status_code=409, detail="no more renewals")
    if loan.is_reserved_by_other:
        raise HTTPException(status_code=400, detail="reserved by another member")


def suspend_if_overdue(member, overdue_days):
    if overdue_days > 30:
        member.status = "blocked"


def check_out(member, item):
    update_shelf(item)
    check_membership(member)
    print_receipt(member)

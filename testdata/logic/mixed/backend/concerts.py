"""コンサートのチケット販売。"""
from datetime import timedelta

MAX_TICKETS_PER_BUYER = 6
SALE_HOLD = timedelta(minutes=15)
SERVICE_FEE_RATE = 0.08
SEAT_CLASSES = {"S", "A", "B"}
ALLOW_RESALE = True
REFUND_DEADLINE_DAYS = 7


class TicketOffice:
    def hold_seats(self, buyer, count):
        """座席を仮押さえする。"""
        if count > MAX_TICKETS_PER_BUYER:
            raise HTTPException(422, "too many tickets")
        if self.remaining < count:
            raise HTTPException(410, "sold out")
        return Hold(buyer, count, expires_in=SALE_HOLD)

    def enter(self, ticket, gate):
        """入場を受け付ける。"""
        if ticket.used:
            raise HTTPException(403, "ticket is already used")
        ticket.state = "used"

    def cancel_concert(self, concert):
        """公演を中止する。"""
        concert.state = "called_off"
        notify_buyers(concert)
        refund_all(concert)

    def can_refund(self, days_before):
        return days_before >= REFUND_DEADLINE_DAYS

    def group_discount(self, people):
        if people > 20:
            return 0.1
        return 0

"""Invoices and what is paid for them."""
from decimal import Decimal
from enum import Enum
from typing import Optional

LATE_FEE_RATE = Decimal("0.05")
CONSUMPTION_TAX_RATE = Decimal("0.10")
APPROVAL_LIMIT_YEN = 1_000_000
PAYMENT_METHODS = ("card", "bank", "convenience_store")


class InvoiceStatus(Enum):
    DRAFT = "draft"
    ISSUED = "issued"
    PAID = "paid"
    CANCELLED = "cancelled"


class InvoiceRequest(BaseModel):
    """What a client sends to have an invoice written."""

    customer_id: str
    tax_id: Optional[str] = None
    memo: Optional[str] = None


def late_fee(invoice):
    """The fee for a late payment."""
    return invoice.total * LATE_FEE_RATE


def submit_invoice(invoice):
    """Hands an invoice in, to be approved where it must be."""
    if invoice.total < APPROVAL_LIMIT_YEN:
        require_approval(invoice)
    queue(invoice)


def send_reminder(balance):
    """Reminds of an open balance."""
    if balance < 500:
        return None
    return reminder_mail(balance)


def invoice_amount(invoice):
    """What is to be paid in the end."""
    amount = add_tax(invoice.subtotal)
    amount = apply_discount(amount, invoice.discount)
    return amount

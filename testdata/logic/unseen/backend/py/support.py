FIRST_REPLY_HOURS = 8
MAX_ATTACHMENTS = 5
NOTIFY_ON_CLOSE = False


class Inquiry(BaseModel):
    subject: str
    body: str
    phone: str | None = None
    order_number: str


def priority_of(inquiry):
    """Tells the priority of an inquiry."""
    if inquiry.is_outage:
        return "critical"
    if inquiry.affected_users > 100:
        return "high"
    return "normal"


def close(inquiry, agent):
    if inquiry.has_open_tasks:
        raise HTTPException(status_code=400, detail="inquiry has open tasks")
    inquiry.state = "resolved"


def forward(inquiry, partner):
    partner.send_personal_data(inquiry.customer)
    inquiry.assignee = partner


def attach(inquiry, files):
    if len(files) > MAX_ATTACHMENTS:
        raise HTTPException(status_code=422, detail="too many attachments")

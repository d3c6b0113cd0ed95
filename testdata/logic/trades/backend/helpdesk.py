from django.db import models

ESCALATION_AFTER_MIN = 240
MAX_OPEN_TICKETS = 30
AUTO_CLOSE_DAYS = 14
SURVEY_ENABLED = True

PRIORITIES = [
    ("low", "Low"),
    ("normal", "Normal"),
    ("high", "High"),
]


class Ticket(models.Model):
    subject = models.CharField(max_length=150)
    phone = models.CharField(max_length=20, blank=True, null=True)
    priority = models.CharField(choices=PRIORITIES, default="normal", max_length=10)


def assign(agent, ticket):
    """担当者に問い合わせを割り当てる。"""
    if agent.on_vacation:
        return JsonResponse({"error": "agent is on vacation"}, status=409)
    if agent.open_tickets.count() >= MAX_OPEN_TICKETS:
        return JsonResponse({"error": "agent has too many tickets"}, status=429)
    ticket.status = "assigned"
    ticket.save()
    return JsonResponse({}, status=200)


def close_idle(ticket, idle_days):
    """返事のない問い合わせを自動で閉じる。"""
    if idle_days > AUTO_CLOSE_DAYS:
        ticket.status = "closed"


def merge(ticket, other):
    """二つの問い合わせをまとめる。"""
    if ticket.customer_id != other.customer_id:
        return JsonResponse({"error": "different customers"}, status=400)
    other.status = "merged"

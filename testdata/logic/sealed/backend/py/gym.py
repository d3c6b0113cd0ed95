"""Gym classes and memberships."""
from dataclasses import dataclass
from datetime import timedelta
from typing import Optional

CLASS_CAPACITY = 24
TRIAL_PERIOD_DAYS = 10
LOCKER_FEE_YEN = 550
LATE_ARRIVAL_GRACE = timedelta(minutes=5)


@dataclass
class JoinForm:
    full_name: str
    emergency_contact: Optional[str] = None
    goals: Optional[str] = None


def join_class(lesson, member, arrived_at):
    """レッスンに参加する。"""
    if lesson.participants >= CLASS_CAPACITY:
        raise HTTPException(status_code=409, detail="class is full")
    if member.age < 16:
        raise HTTPException(status_code=403, detail="member is too young")
    if arrived_at - lesson.starts_at > LATE_ARRIVAL_GRACE:
        raise HTTPException(status_code=403, detail="arrived too late")
    lesson.participants += 1


def pause_membership(member, months):
    """休会する。"""
    if months > 6:
        raise ValueError("a pause is too long")
    member.status = "paused"

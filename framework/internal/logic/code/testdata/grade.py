"""Grades of a course."""
from enum import Enum

PASS_MARK = 60
WEIGHTS = {
    "exam": 0.7,
    "work": 0.3,
}


class Grade(Enum):
    """What a student gets."""

    PASSED = "passed"
    FAILED = "failed"


class Course:
    limit: int = 30

    @property
    def full(self):
        # def not_me():
        return len(self.students) >= self.limit

    @retry(times=3)
    async def enrol(
        self,
        student: "Student",
    ) -> None:
        """Adds a student; def neither_me(): pass"""
        if self.full:
            raise CourseFull("no place left")
        if not student.paid and student.age < 18:
            raise HTTPException(status_code=402, detail="fee is due")

        def notify():
            return f"{student.name}"
        notify()


def grade(points): return Grade.PASSED if points >= PASS_MARK else Grade.FAILED


def total(marks):
    text = """
def hidden():
    pass
"""
    return sum(marks) + \
        len(text)

from dataclasses import dataclass
from typing import Optional

MAX_ORDERS_PER_TRIP = 4
DELIVERY_RADIUS_KM = 8
MIN_BASKET_EUR = 12
PICKUP_TIMEOUT_SECONDS = 600
ACCEPT_CASH = True


@dataclass
class DropOff:
    street: str
    door_code: Optional[str] = None


def place_order(restaurant, basket, distance_km):
    """Places an order at a restaurant."""
    if not restaurant.is_open:
        raise HTTPException(status_code=423, detail="restaurant is closed")
    if basket.total < MIN_BASKET_EUR:
        raise HTTPException(status_code=422, detail="basket is too small")
    if distance_km > DELIVERY_RADIUS_KM:
        raise HTTPException(status_code=422, detail="out of the delivery area")


def assign(courier, order):
    """Gives a courier one more order."""
    if len(courier.orders) >= MAX_ORDERS_PER_TRIP:
        raise TooManyOrders()
    courier.orders.append(order)


def reassign_if_waiting(order, now):
    if (now - order.ready_at).total_seconds() > PICKUP_TIMEOUT_SECONDS:
        reassign(order)


def rate(courier, stars):
    """Adds a rating of a customer."""
    if stars < 1 or stars > 5:
        raise ValueError("stars out of range")
    courier.add_rating(stars)
    if courier.average_rating <= 3.5:
        courier.status = "suspended"


def hand_over(order):
    order.status = "delivered"

REORDER_POINT = 40
STOCKTAKE_INTERVAL_DAYS = 90
LOW_STOCK_MAIL = False


def receive_goods(receipt, shelf):
    """Books goods in that a supplier delivered."""
    if receipt.is_damaged:
        raise HTTPException(status_code=400, detail="goods are damaged")
    if shelf.load_kg + receipt.weight_kg > shelf.max_load_kg:
        raise HTTPException(status_code=409, detail="shelf is overloaded")
    check_quality(receipt)
    put_on_shelf(receipt, shelf)


def pick(order, worker):
    """Picks the goods of an order."""
    if worker.is_trainee:
        raise PermissionError("trainees may not pick")
    order.status = "picked"


def needs_reorder(item):
    """Tells whether an item has to be ordered again."""
    return item.quantity < REORDER_POINT

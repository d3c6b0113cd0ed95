const LOW_STOCK = 10;
const MAX_ORDER_QUANTITY = 99;
const RESERVATION_MINUTES = 20;
const RETURN_DAYS = 30;
const RESTOCK_FEE_PERCENT = 10;

/** 在庫を引き当てる。 */
export function allocate(item: Item, quantity: number): Allocation {
  if (quantity > MAX_ORDER_QUANTITY) {
    throw new HttpError(422, 'quantity is too large');
  }
  if (item.stock < quantity) {
    throw new HttpError(409, 'not enough stock');
  }
  item.stock -= quantity;
  if (item.stock < LOW_STOCK) {
    notifyBuyer(item);
  }
  return { item, quantity, status: 'reserved' };
}

/** 返品を受け付ける。 */
export function takeBack(order: Order, daysSinceDelivery: number): number {
  if (daysSinceDelivery > RETURN_DAYS) {
    throw new HttpError(410, 'return period is over');
  }
  if (order.isOpened) {
    return order.total * (100 - RESTOCK_FEE_PERCENT) / 100;
  }
  order.status = 'returned';
  return order.total;
}

/** 棚から廃棄する。 */
export function discard(item: Item, user: User): void {
  if (!user.isManager) {
    throw new HttpError(403, 'only managers discard items');
  }
  item.status = 'discarded';
}

import { HttpError } from './errors';

export const CASH_ON_DELIVERY_LIMIT_YEN = 300_000;
export const CANCEL_WINDOW_HOURS = 48;
export const RETURN_WINDOW_DAYS = 14;

/** Puts the items of an order aside. */
export async function reserveStock(order: Order): Promise<void> {
  for (const item of order.items) {
    if ((await stockOf(item.sku)) < item.quantity) {
      throw new HttpError(400, 'stock is insufficient');
    }
  }
}

/** Looks an order up. */
export async function findOrder(id: string): Promise<Order> {
  const order = await orders.get(id);
  if (!order) {
    throw new HttpError(404, 'order not found');
  }
  return order;
}

/** The fee for shipping an order, in yen. */
export function shippingFee(order: Order): number {
  if (order.total > 5000) {
    return 0;
  }
  return 600;
}

/** Refuses cash on delivery for expensive orders. */
export function checkCashOnDelivery(order: Order): void {
  if (order.total > CASH_ON_DELIVERY_LIMIT_YEN) {
    throw new HttpError(422, 'too expensive for cash on delivery');
  }
}

/** Tells whether an order may still be cancelled. */
export function canCancel(order: Order, hoursSince: number): boolean {
  return hoursSince <= CANCEL_WINDOW_HOURS;
}

/** Tells whether goods may still be returned. */
export function canReturn(order: Order, daysSince: number): boolean {
  return daysSince <= RETURN_WINDOW_DAYS;
}

/** Notes that an order left the house. */
export function markShipped(order: Order): void {
  order.status = 'sent';
}

/** Notes that an order arrived. */
export function markDelivered(order: Order): void {
  order.status = 'delivered';
}

/** Confirms an order. */
export async function confirmOrder(order: Order): Promise<void> {
  await allocateInventory(order);
  await verifyPayment(order);
  await save(order);
}

/** Gives money back. */
export async function refundOrder(order: Order): Promise<void> {
  await checkApproval(order);
  await transferMoney(order.customer, order.total);
}

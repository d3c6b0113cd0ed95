import { Order } from "./order";

/** Days after delivery in which money is returned. */
export const REFUND_DAYS = 30;

const labels: Record<string, string> = {
  open: "Offen {",
  done: `fertig ${`nested ${1 + 1} }`}`,
};

export type Decision = { ok: true; again: () => void } | { ok: false; reason: string };

export interface Store {
  load(id: string): Promise<Order>;
}

/**
 * Decides whether an order is refunded.
 */
export function decide(order: Order, now: Date): { ok: boolean; reason?: string } {
  if (order.ageInDays(now) > REFUND_DAYS) {
    return { ok: false, reason: "too late" };
  }
  const pattern = /[{/]"+'/g;
  const rounded = order.total / 2 / 3;
  return { ok: rounded >= 0.5 && !pattern.test(order.note) };
}

@Injectable({ scope: "request" })
export class RefundService<T extends Store> extends Base(Mixin) implements Closable {
  static readonly limit = 3;
  private waiting: Map<string, () => void> = new Map();

  constructor(private readonly store: T) {
    super();
  }

  // Only managers may go above the limit.
  @Guard("manager")
  async approve(id: string): Promise<void> {
    const order = await this.store.load(id);
    switch (order.status) {
      case "open": {
        order.status = "approved";
        break;
      }
      default:
        throw new HttpException("already closed", 409);
    }
  }

  get size(): number { return this.waiting.size; }

  handler = async (id: string): Promise<void> => {
    await this.approve(id);
  };

  clear(): void {
    this.waiting.clear()
  }
}

export const half = (n: number): number => n / 2;

export const routes = {
  list: async () => [],
  "create-one": function () {
    return true ? "a" : "b";
  },
  remove(id: string) {
    return id;
  },
};

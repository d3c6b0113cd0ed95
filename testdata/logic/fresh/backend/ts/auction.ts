export const MIN_INCREMENT_YEN = 100;
export const EXTENSION_MINUTES = 3;

export type AuctionState = 'scheduled' | 'running' | 'ended' | 'cancelled';

export async function placeBid(auction: Auction, bid: Bid): Promise<void> {
  if (auction.state !== 'running') {
    throw new HttpError(409, 'auction is not running');
  }
  if (bid.amount < auction.highest + MIN_INCREMENT_YEN) {
    throw new HttpError(422, 'bid is too low');
  }
  if (bid.bidderId === auction.sellerId) {
    throw new HttpError(403, 'sellers do not bid on their own auction');
  }
  auction.highest = bid.amount;
}

export function depositFor(auction: Auction): number {
  if (auction.estimate >= 1_000_000) {
    return auction.estimate * 0.1;
  }
  return 0;
}

export function titleProblem(title: string): string | null {
  return title.length > 80 ? 'title is too long' : null;
}

export async function settle(auction: Auction): Promise<void> {
  await chargeBuyer(auction);
  await payOutSeller(auction);
  await notifyBuyer(auction);
}

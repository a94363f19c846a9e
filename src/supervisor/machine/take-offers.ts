import { setTimeout as delay } from "node:timers/promises";
import type { Dispatcher, Offer } from "../../dispatch/open-dispatcher.ts";

export interface OfferLoop {
  readonly dispatcher: Dispatcher;
  /** Whether one more attempt fits. */
  readonly hasRoom: () => boolean;
  readonly start: (offer: Offer) => void;
  readonly isOver: () => boolean;
}

const ROOM_MS = 50;
const RETRY_MS = 1000;

/** Takes offers while there is room for them, until it is over. A machine of several pools does so for each at the same time. */
export async function takeOffers({ dispatcher, hasRoom, start, isOver }: OfferLoop): Promise<void> {
  while (!isOver()) {
    if (!hasRoom()) {
      await delay(ROOM_MS);
      continue;
    }
    const offer = await takeNext(dispatcher);
    if (offer === undefined) continue;
    // Asked to leave while it waited, or full by now: it is taken later, or by others.
    if (isOver() || !hasRoom()) await dispatcher.offer(offer).catch(() => undefined);
    else start(offer);
  }
}

/** What carries offers may be away for a while; every offer is made again. */
async function takeNext(dispatcher: Dispatcher): Promise<Offer | undefined> {
  try {
    return await dispatcher.take();
  } catch {
    await delay(RETRY_MS);
    return undefined;
  }
}

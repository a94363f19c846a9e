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

/**
 * Takes offers while there is room for them, until it is stopped. A machine of several pools does so for each of them at
 * the same time.
 */
export async function takeOffers({ dispatcher, hasRoom, start, isOver }: OfferLoop): Promise<void> {
  while (!isOver()) {
    if (!hasRoom()) {
      await delay(ROOM_MS);
      continue;
    }
    const offer = await takeNext(dispatcher);
    if (offer === undefined) continue;
    // The machine was asked to leave while it waited, or is full by now: the offer is taken later, or by others.
    if (isOver() || !hasRoom()) await dispatcher.offer(offer).catch(() => undefined);
    else start(offer);
  }
}

/** The carrier of offers may be unreachable for a while; every offer is made again. */
async function takeNext(dispatcher: Dispatcher): Promise<Offer | undefined> {
  try {
    return await dispatcher.take();
  } catch {
    await delay(RETRY_MS);
    return undefined;
  }
}

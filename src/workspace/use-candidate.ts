import { DelegationError } from "../base/delegation-error.ts";
import type { Candidate } from "./candidate.ts";

/** The second one shares nothing that was found changed under the first. */
const MOST_TRIES = 2;

/**
 * Finds something out in the checkout of a commit. It counts only where nobody else wrote to the files there meanwhile;
 * otherwise it is found out again in another checkout, and then given up.
 */
export async function useCandidate<
  Checkout extends Pick<Candidate, "path" | "wasLeftAlone" | "release">,
  Found,
>(checkOut: () => Promise<Checkout>, findOut: (checkout: Checkout) => Promise<Found>): Promise<Found> {
  for (let left = MOST_TRIES - 1; ; left -= 1) {
    const checkout = await checkOut();
    try {
      const found = await findOut(checkout);
      if (await checkout.wasLeftAlone()) return found;
      if (left === 0) throw writtenToByOthers(checkout.path);
    } finally {
      await checkout.release();
    }
  }
}

function writtenToByOthers(path: string): DelegationError {
  return new DelegationError({
    code: "WORKSPACE_TAMPERED",
    message: `Files that checks ran over in ${path} were changed by another program, ${MOST_TRIES} times`,
    recommendation:
      "Look for a worker that writes below .ambit/state; in the sandbox (`isolation: sandbox`) it cannot.",
    recoverable: true,
  });
}

import { workspaceErrors } from "../errors/workspace.ts";
import type { Candidate } from "./candidate.ts";

/** The second checkout shares nothing that was changed under the first. */
const MAX_TRIES = 2;

/**
 * Examines the checkout of a commit. The result counts only if no other program wrote to the files in the meantime;
 * otherwise the work is repeated in another checkout, and then given up.
 */
export async function useCandidate<
  Checkout extends Pick<Candidate, "path" | "wasLeftAlone" | "release">,
  Found,
>(checkOut: () => Promise<Checkout>, findOut: (checkout: Checkout) => Promise<Found>): Promise<Found> {
  for (let left = MAX_TRIES - 1; ; left -= 1) {
    const checkout = await checkOut();
    try {
      const found = await findOut(checkout);
      if (await checkout.wasLeftAlone()) return found;
      if (left === 0) throw workspaceErrors.candidateChanged(checkout.path, MAX_TRIES);
    } finally {
      await checkout.release();
    }
  }
}

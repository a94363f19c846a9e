import type { DelegationError } from "../base/delegation-error.ts";
import { makeError } from "./make-error.ts";

/** A request that cannot be understood: which word is wrong, and what to write instead. */
export function usageError(message: string, advice: string): DelegationError {
  return makeError({ code: "USAGE", message, advice });
}

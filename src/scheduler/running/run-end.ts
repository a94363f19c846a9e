/** How one run of a job ended. `parked` and `again` do not end the job: it holds no slot and continues later. */
export type RunEnd =
  | { readonly kind: "succeeded" }
  | { readonly kind: "unsuccessful"; readonly error?: unknown }
  | { readonly kind: "cancelled" }
  | { readonly kind: "parked" }
  | { readonly kind: "again"; readonly notBeforeMs: number };

/** How a job ended for good. */
export type Settled = Exclude<RunEnd, { readonly kind: "parked" | "again" }>;

/** Does the work. Resolving without a value is success, throwing is not. The signal asks it to stop. */
export type RunJob = (signal: AbortSignal) => Promise<RunEnd | void>;

/** A run that was asked to stop and did not finish its work counts as cancelled. */
export async function runToEnd(run: RunJob, signal: AbortSignal): Promise<RunEnd> {
  let end: RunEnd;
  try {
    end = (await run(signal)) ?? { kind: "succeeded" };
  } catch (error) {
    end = { kind: "unsuccessful", error };
  }
  return signal.aborted && end.kind !== "succeeded" ? { kind: "cancelled" } : end;
}

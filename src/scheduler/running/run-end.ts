/** How one run of a job ended. `parked` and `again` are not the job's end: it holds no slot and goes on later. */
export type RunEnd =
  | { readonly kind: "succeeded" }
  | { readonly kind: "unsuccessful"; readonly error?: unknown }
  | { readonly kind: "cancelled" }
  | { readonly kind: "parked" }
  | { readonly kind: "again"; readonly notBeforeMs: number };

/** How a job ended for good. */
export type Settled = Exclude<RunEnd, { readonly kind: "parked" | "again" }>;

/** Does the work. Resolving with nothing is success; throwing is not. The signal is the wish to stop. */
export type RunJob = (signal: AbortSignal) => Promise<RunEnd | void>;

/** A run that was told to stop and did not finish its work counts as cancelled, whatever it asks for. */
export async function runToEnd(run: RunJob, signal: AbortSignal): Promise<RunEnd> {
  let end: RunEnd;
  try {
    end = (await run(signal)) ?? { kind: "succeeded" };
  } catch (error) {
    end = { kind: "unsuccessful", error };
  }
  return signal.aborted && end.kind !== "succeeded" ? { kind: "cancelled" } : end;
}

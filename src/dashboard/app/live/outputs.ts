import { useSyncExternalStore } from "react";
import type { WorkerOutput } from "../../../app/view-types.ts";
import { createStore } from "./store.ts";

/** The newest output of the running workers of the shown story, by worker id. */
const outputs = createStore<ReadonlyMap<string, WorkerOutput>>(new Map());

/** Takes the place of all that was known, and keeps what did not change. */
export function setOutputs(told: readonly WorkerOutput[]): void {
  outputs.set(
    (before) =>
      new Map(
        told.map((output) => {
          const known = before.get(output.id);
          const isSame = known?.atMs === output.atMs && known.line === output.line;
          return [output.id, isSame ? known : output];
        }),
      ),
  );
}

export function useOutput(id: string): WorkerOutput | undefined {
  return useSyncExternalStore(outputs.watch, () => outputs.get().get(id));
}

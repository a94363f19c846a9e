import { expect, it } from "vitest";
import { summarizeStories } from "../../src/orchestrator/split/history.ts";
import { makeDelegation, makeEnded } from "../reports/make-delegation.ts";

const span = ["10:00", "10:10"] as const;

it("says what earlier stories cost, how they were divided and how workers ended by depth (R183, R195)", () => {
  const worker = (id: string, microUsd: number) => ({
    ...makeEnded(id, span),
    microUsd,
    durationMs: 600_000,
    outcome: "completed" as const,
  });
  const history = summarizeStories([
    [{ ...makeDelegation("US-1"), microUsd: 900 }],
    [
      makeDelegation("US-2"),
      worker("US-2-DEL-001", 100),
      worker("US-2-DEL-002", 200),
      worker("US-2-DEL-003", 300),
      { ...worker("US-2-DEL-001-DEL-001", 0), outcome: "failed" as const },
      { ...worker("US-2-DEL-001-DEL-002", 0), outcome: "cancelled" as const },
    ],
  ]);
  expect(history).toMatchObject({
    stories: 2,
    divided: 1,
    fanOut: { low: 5, middle: 5, high: 5 },
    workers: 5,
    workerMicroUsd: { low: 200, middle: 200, high: 300 },
    workerMs: { middle: 600_000 },
    aloneMicroUsd: { middle: 900 },
    byDepth: [
      { depth: 1, ended: 3, completed: 3 },
      { depth: 2, ended: 1, completed: 0 },
    ],
  });
});

it("is empty if nothing ever ran", () => {
  expect(summarizeStories([])).toMatchObject({ stories: 0, fanOut: null, workerMicroUsd: null, byDepth: [] });
});

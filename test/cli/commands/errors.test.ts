import { expect, it } from "vitest";
import { end } from "../../reports/fill-store.ts";
import { filledRepository, json, openWork, run } from "./filled-repository.ts";

it("ambit errors --list names the story of each error and marks what is cut off", async () => {
  const directory = await filledRepository(async (store) => {
    await openWork(store, "S-1");
    const summary = `It stopped ${"after a long time ".repeat(9)}.`;
    await end(store, "S-1", { outcome: "timed_out", code: "TIMEOUT", summary });
  });
  const { stdout } = await run(directory, ["errors", "--list"]);
  expect(stdout).toMatch(
    /^at +story +task +agent +code +what\n[-\d]{10} [\d:]{5} +S-1 +- +manager +TIMEOUT +It .+…$/,
  );
});

it("ambit errors counts a rejected return and the end that follows from it as one error", async () => {
  const directory = await filledRepository(async (store) => {
    await openWork(store, "S-1");
    const data = { codes: ["MISSING_FIELD:summary", "INVALID_STATUS"], repair: 0 };
    await store.record({ type: "return-rejected", story: "S-1", delegation: "S-1", attempt: 1, data });
    await end(store, "S-1", { outcome: "partial", code: "MISSING_FIELD:summary", summary: "No." });
    await openWork(store, "S-2");
    await end(store, "S-2", { outcome: "partial", code: "MISSING_FIELD:summary", summary: "No." });
  });
  expect(await json(directory, ["errors"])).toMatchObject({
    count: 2,
    errors: [
      { story: "S-1", message: "Its return was rejected: MISSING_FIELD:summary, INVALID_STATUS" },
      { story: "S-2" },
    ],
  });
});

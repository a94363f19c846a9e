import { expect, it } from "vitest";
import { end } from "../../reports/fill-store.ts";
import { filledRepository, openWork, run } from "./filled-repository.ts";

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

import { expect, it } from "vitest";
import { openStory, start } from "../../reports/fill-store.ts";
import { filledRepository, run } from "./filled-repository.ts";

async function twoStories(): Promise<string> {
  return filledRepository(async (store) => {
    await openStory(store, "US-1", "Older");
    await start(store, "US-1", { description: "older worker" });
    await openStory(store, "US-2", "Newest");
    await start(store, "US-2", { description: "first" });
    const second = await start(store, "US-2", { description: "second" });
    await start(store, second.id, { description: "below the second" });
  });
}

it.each([
  ["1", "US-2-DEL-001: first"],
  ["2", "US-2-DEL-002: second"],
  ["2.1", "US-2-DEL-002-DEL-001: below the second"],
])("the path %s names a worker of the newest story", async (path, first) => {
  const { stdout } = await run(await twoStories(), ["tree", path]);
  expect(stdout.startsWith(first)).toBe(true);
});

it.each(["3", "1.1", "2.1.1", "2.2", "0", "1.", ".1", "01", "1.1.1.1", "2,1"])(
  "the path %s names no delegation and is refused with exit 2",
  async (path) => {
    const { exitCode, stderr } = await run(await twoStories(), ["tree", path]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("✖ STORY_NOT_FOUND");
  },
);

it("a complete id takes precedence over a path, and a path over a prefix", async () => {
  const directory = await filledRepository(async (store) => {
    await openStory(store, "1", "Named like a path");
    await openStory(store, "23", "Begins like a path");
    await start(store, "23", { description: "first" });
    await start(store, "23", { description: "second" });
  });
  expect((await run(directory, ["tree", "1"])).stdout.startsWith("1: Named like a path")).toBe(true);
  expect((await run(directory, ["tree", "2"])).stdout.startsWith("23-DEL-002: second")).toBe(true);
});

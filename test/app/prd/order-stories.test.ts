import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderStories } from "../../../src/app/prd/order-stories.ts";
import { userStorySchema, type UserStory } from "../../../src/contract/story.ts";

const story = (id: string, priority: number, dependencies: readonly string[] = []): UserStory =>
  userStorySchema.parse({ id, title: id, priority, dependencies });

const order = (...stories: readonly UserStory[]): readonly string[] =>
  orderStories("prd.json", stories).map(({ id }) => id);

describe("the order of the stories of a file (R78, R132)", () => {
  it("is that of their priorities, and that of the file if priorities are equal", () => {
    expect(order(story("C", 3), story("A", 1), story("B", 2))).toEqual(["A", "B", "C"]);
    expect(order(story("B", 1), story("A", 1))).toEqual(["B", "A"]);
    expect(order()).toEqual([]);
  });

  it("puts a story after everything it depends on, whatever its priority", () => {
    expect(order(story("A", 1, ["C"]), story("B", 2), story("C", 3))).toEqual(["B", "C", "A"]);
    expect(order(story("A", 1, ["B", "C"]), story("B", 2, ["C"]), story("C", 3))).toEqual(["C", "B", "A"]);
  });

  it("does not wait for a story that is not in the file", () => {
    expect(order(story("A", 1, ["elsewhere"]), story("B", 2))).toEqual(["A", "B"]);
  });

  it("is refused if stories wait for each other, and only those are named", () => {
    const stories = [story("A", 1, ["B"]), story("B", 2, ["C"]), story("C", 3, ["B"]), story("D", 4)];
    expect(() => orderStories("prd.json", stories)).toThrow(/wait for each other: B → C → B/);
    expect(() => orderStories("prd.json", [story("A", 1, ["A"])])).toThrow(/: A → A/);
  });

  it("contains each story once, after its dependencies, for any file without a cycle", () => {
    const files = fc.array(fc.tuple(fc.nat(3), fc.array(fc.nat(20), { maxLength: 3 })), { maxLength: 12 });
    fc.assert(
      fc.property(files, (rows) => {
        const stories = rows.map(([priority, before], index) =>
          story(
            `S${index}`,
            priority + 1,
            before.flatMap((at) => (at < index ? [`S${at}`] : [])),
          ),
        );
        const ordered = order(...stories);
        expect(ordered.toSorted()).toEqual(stories.map(({ id }) => id).toSorted());
        for (const { id, dependencies } of stories)
          for (const other of dependencies) expect(ordered.indexOf(other)).toBeLessThan(ordered.indexOf(id));
      }),
    );
  });
});

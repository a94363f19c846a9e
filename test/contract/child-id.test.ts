import fc from "fast-check";
import { expect, it } from "vitest";
import {
  childId,
  depthOfId,
  expandChildId,
  findStoryId,
  formatPlace,
  isBelow,
  isDirectChild,
  splitChildId,
} from "../../src/contract/child-id.ts";

const story = "US-007";
const worker = childId(story, 2);
const deep = childId(worker, 11);

it("distinguishes workers below a manager from the manager and from other stories", () => {
  expect([isBelow(worker, story), isBelow(deep, story), isBelow(deep, worker)]).toEqual([true, true, true]);
  expect([isBelow(story, story), isBelow("US-0070-DEL-001", story), isBelow(story, worker)]).toEqual([
    false,
    false,
    false,
  ]);
  expect([isDirectChild(worker, story), isDirectChild(deep, story), isDirectChild(deep, worker)]).toEqual([
    true,
    false,
    true,
  ]);
});

it("finds manager, story and number of a worker", () => {
  expect(splitChildId(deep)).toEqual({ parentId: worker, number: 11 });
  expect(splitChildId(worker)).toEqual({ parentId: story, number: 2 });
  expect(splitChildId(story)).toBeUndefined();
  expect([deep, worker, story].map(findStoryId)).toEqual([story, story, story]);
  for (const end of ["", "x", "0", "1.5"])
    expect(splitChildId(`a-DEL-${end}`)).toEqual({ parentId: "a", number: undefined });
});

it("expands the short name that a manager uses for its worker, and no other name", () => {
  expect(expandChildId(story, "DEL-002")).toBe(worker);
  for (const name of [worker, "fixer", "XDEL-002", ""]) expect(expandChildId(story, name)).toBe(name);
});

it("shows the place of a worker in the tree below a manager", () => {
  expect([formatPlace(worker, story), formatPlace(deep, story)]).toEqual(["2", "2.11"]);
  expect([formatPlace(story, story), formatPlace(worker, "US-0")]).toEqual([undefined, undefined]);
});

it("parses every id that it builds", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 3 }), (numbers) => {
      const id = numbers.reduce(childId, story);
      expect(depthOfId(id)).toBe(numbers.length);
      expect(findStoryId(id)).toBe(story);
      expect(formatPlace(id, story)).toBe(numbers.join("."));
      const { parentId, number } = splitChildId(id) ?? { parentId: "" };
      expect(number).toBe(numbers.at(-1));
      expect(isDirectChild(id, parentId)).toBe(true);
    }),
  );
});

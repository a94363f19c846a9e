import { describe, expect, it } from "vitest";
import { joinSelection, readTaskIds, splitStatus } from "../../src/app/task-words.ts";
import { parseRange } from "../../src/tasks/task.ts";

describe("words that name tasks", () => {
  it.each([
    [["343-345,", "337"], "343-345,337"],
    [["343-345,337"], "343-345,337"],
    [["343-345, 337"], "343-345,337"],
    [["343", "344", "345"], "343,344,345"],
    [["#343", ",", "#344,"], "343,344"],
    [["all"], "all"],
    [["US-3,", "12.1"], "US-3,12.1"],
  ])("%j mean %s, however the shell split them (R138, C25)", (words, selection) => {
    expect(joinSelection(words)).toBe(selection);
  });

  it("keep the order they were given in and name nothing twice (R138, C25)", () => {
    expect(parseRange(joinSelection(["343-345,", "337,", "344"]))).toStrictEqual({
      numbers: [343, 344, 345, 337],
      rest: "",
    });
  });

  it("are passed on unchanged if they are invalid, and the parser of ranges refuses them", () => {
    expect(parseRange(joinSelection(["9-3"]))).toMatchObject({ error: "INVALID_RANGE" });
    expect(parseRange(joinSelection(["0"]))).toMatchObject({ error: "INVALID_TASK_NUMBER" });
  });
});

describe("a status after tasks", () => {
  it.each([
    [["343-345", "planned"], "343-345", "planned"],
    [["343-345,", "337", "[PLANNED]"], "343-345,337", "[PLANNED]"],
    [["343", "not", "started"], "343", "not started"],
    [["343", "344", "on", "hold"], "343,344", "on hold"],
    [["343", "nonsense"], "343", "nonsense"],
  ])("%j is read as tasks and status", (words, selection, status) => {
    expect(splitStatus(words)).toStrictEqual({ selection, status });
  });

  it.each([[["planned"]], [["343"]], [[]]])(
    "%j is refused, because the tasks or the status are missing",
    (words) => {
      expect(() => splitStatus(words)).toThrow(expect.objectContaining({ code: "USAGE" }));
    },
  );
});

it("reads the dependencies of a task; an empty text removes all of them", () => {
  expect(readTaskIds("240, 241")).toStrictEqual(["240", "241"]);
  expect(readTaskIds("")).toStrictEqual([]);
  expect(readTaskIds(undefined)).toBeUndefined();
});

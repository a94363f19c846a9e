import { describe, expect, it } from "vitest";
import { treeRows } from "../../../src/dashboard/app/views/tree-rows.ts";
import { layOut, drawPath } from "../../../src/dashboard/app/views/graph-layout.ts";
import { aNode } from "./a-node.ts";

const nodes = new Map(
  [
    aNode({ id: "S", parent: null, label: "", title: "The story", state: "running" }),
    aNode({ id: "S-10", parent: "S", label: "10", title: "Tenth", state: "completed" }),
    aNode({ id: "S-2", parent: "S", label: "2", title: "Second", state: "running", dependsOn: ["S-10"] }),
    aNode({ id: "S-2-1", parent: "S-2", label: "2.1", title: "Below the second", state: "needs you" }),
  ].map((node) => [node.id, node] as const),
);
const all = { toggled: new Map<string, boolean>(), text: "", isOpenOnly: false, sort: "number" } as const;

describe("the rows of a tree", () => {
  it("are ordered by number, workers below their managers (R98)", () => {
    expect(shown(all)).toStrictEqual(["1 S", "2 S-2", "3 S-2-1", "2 S-10"]);
    const [, second] = treeRows(nodes, all);
    expect(second).toMatchObject({ position: 1, siblings: 2, hasWorkers: true, isOpen: true });
  });

  it("leave out closed branches", () => {
    expect(shown({ ...all, toggled: new Map([["S-2", false]]) })).toStrictEqual(["1 S", "2 S-2", "2 S-10"]);
  });

  it("show matches with their managers, even in closed branches", () => {
    expect(shown({ ...all, toggled: new Map([["S", false]]), text: "below" })).toStrictEqual([
      "1 S",
      "2 S-2",
      "3 S-2-1",
    ]);
    expect(shown({ ...all, text: "needs you below" })).toStrictEqual(["1 S", "2 S-2", "3 S-2-1"]);
    expect(shown({ ...all, text: "nobody" })).toStrictEqual([]);
  });

  it("can be sorted with those that need attention first", () => {
    const rows = treeRows(nodes, { ...all, sort: "state" });
    expect(rows.map(({ node }) => node.id)).toStrictEqual(["S", "S-2", "S-2-1", "S-10"]);
  });

  it("of a large story are open only where work runs, asks or went wrong", () => {
    const workers = Array.from({ length: 60 }, (_, index) =>
      aNode({
        id: `W${index}`,
        parent: index < 2 ? "S" : `W${index % 2}`,
        label: `${index}`,
        title: "w",
        state: index === 9 ? "failed" : "completed",
      }),
    );
    const story = aNode({ id: "S", parent: null, label: "", title: "Large", state: "completed" });
    const large = new Map([story, ...workers].map((node) => [node.id, node] as const));
    const rows = treeRows(large, all);
    expect(rows.find(({ node }) => node.id === "W1")?.isOpen).toBe(true);
    expect(rows.find(({ node }) => node.id === "W0")?.isOpen).toBe(false);
  });

  it("can be limited to open delegations", () => {
    expect(shown({ ...all, isOpenOnly: true })).toStrictEqual(["1 S", "2 S-2", "3 S-2-1"]);
  });

  it("show a worker whose manager is not known yet at the top", () => {
    const orphan = aNode({ id: "X", parent: "gone", label: "1", title: "Alone", state: "queued" });
    expect(treeRows(new Map([["X", orphan]]), all)).toMatchObject([{ level: 1 }]);
  });
});

describe("the graph", () => {
  it("gives every leaf its own line, and no two boxes the same place", () => {
    const { spots, edges, height } = layOut(nodes);
    expect(new Set(spots.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.size);
    expect(spots.map(({ node }) => node.id)).toStrictEqual(["S", "S-2", "S-2-1", "S-10"]);
    expect(edges.map(({ kind }) => kind)).toStrictEqual(["manager", "manager", "manager", "dependency"]);
    expect(Math.max(...spots.map(({ y }) => y))).toBeLessThan(height);
    for (const edge of edges) expect(drawPath(edge)).toMatch(/^M[\d. ]+C[\d. ]+$/);
  });
});

function shown(query: Parameters<typeof treeRows>[1]): readonly string[] {
  return treeRows(nodes, query).map(({ level, node }) => `${level} ${node.id}`);
}

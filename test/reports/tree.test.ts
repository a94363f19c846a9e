import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderTreeDot } from "../../src/app/tree/tree-dot.ts";
import { renderTreeMermaid } from "../../src/app/tree/tree-mermaid.ts";
import { renderTreeText } from "../../src/reports/tree-text.ts";
import { buildTree, listTreeNodes, buildTreeDocument, type TreeNode } from "../../src/reports/tree.ts";
import { makeDelegation, makeEnded } from "./make-delegation.ts";

const span = ["10:31", "10:45"] as const;
const queued = { state: "queued", startedAt: null, attempt: 0 } as const;

/** The sources' drawing: one completed line, one running and one waiting worker. */
const seedTree = treeOf([
  makeDelegation("US-007", { description: "Add authentication" }),
  makeEnded("US-007-DEL-001", span, { description: "Implement JWT service" }),
  makeDelegation("US-007-DEL-002", { description: "Create login routes" }),
  makeDelegation("US-007-DEL-003", { description: "Add auth middleware", ...queued }),
  makeEnded("US-007-DEL-001-DEL-001", span, { description: "Add token refresh" }),
]);

function treeOf(delegations: Parameters<typeof buildTree>[0]): TreeNode {
  const root = buildTree(delegations, delegations[0]?.id ?? "");
  if (root === undefined) throw new Error("no root");
  return root;
}

function titled(description: string): TreeNode {
  return treeOf([makeDelegation("US-1"), makeDelegation("US-1-DEL-001", { description })]);
}

describe("buildTree", () => {
  it("places each worker below its manager, in order of admission", () => {
    expect(listTreeNodes(seedTree).map(({ id }) => id)).toStrictEqual([
      "US-007",
      "US-007-DEL-001",
      "US-007-DEL-001-DEL-001",
      "US-007-DEL-002",
      "US-007-DEL-003",
    ]);
  });

  it("starts at any delegation of the story, and is empty for an unknown one", () => {
    const all = listTreeNodes(seedTree).map(({ delegation }) => delegation);
    expect(buildTree(all, "US-007-DEL-001")?.workers.map(({ id }) => id)).toStrictEqual([
      "US-007-DEL-001-DEL-001",
    ]);
    expect(buildTree(all, "US-008")).toBeUndefined();
  });

  it.each([
    ["queued", null, "pending"],
    ["running", null, "running"],
    ["parked", null, "running"],
    ["returned", null, "running"],
    ["verified", null, "running"],
    ["merged", null, "running"],
    ["closed", "completed", "completed"],
    ["closed", "partial", "partial"],
    ["closed", "failed", "failed"],
    ["closed", "blocked", "blocked"],
    ["closed", "cancelled", "cancelled"],
    ["closed", "timed_out", "timed_out"],
  ] as const)("calls the state %s with the outcome %s %s (R98)", (state, outcome, word) => {
    expect(treeOf([makeDelegation("US-1", { state, outcome })]).status).toBe(word);
  });

  it("has a JSON form in which workers are children", () => {
    expect(buildTreeDocument(seedTree)).toMatchObject({
      id: "US-007",
      title: "Add authentication",
      depth: 0,
      status: "running",
      children: [
        {
          id: "US-007-DEL-001",
          status: "completed",
          completed_at: "2026-01-20T10:45:00.000Z",
          children: [{ id: "US-007-DEL-001-DEL-001", depth: 2, children: [] }],
        },
        { id: "US-007-DEL-002", status: "running", completed_at: null },
        { id: "US-007-DEL-003", status: "pending", started_at: null },
      ],
    });
  });
});

describe("renderTreeText (R98)", () => {
  it("draws the tree of the worked example", () => {
    expect(renderTreeText(seedTree, { ascii: false })).toBe(
      `US-007: Add authentication (depth=0) [running]
├── US-007-DEL-001: Implement JWT service (depth=1) [completed]
│   └── US-007-DEL-001-DEL-001: Add token refresh (depth=2) [completed]
├── US-007-DEL-002: Create login routes (depth=1) [running]
└── US-007-DEL-003: Add auth middleware (depth=1) [pending]`,
    );
  });

  it("draws it in plain ASCII on request", () => {
    const text = renderTreeText(seedTree, { ascii: true });
    expect(text).toMatch(/^[\n -~]+$/);
    expect(text.split("\n")[2]).toBe(
      "|   `-- US-007-DEL-001-DEL-001: Add token refresh (depth=2) [completed]",
    );
  });

  it("has one line per node, whatever the titles", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (title) => {
        const lines = renderTreeText(titled(title), { ascii: false }).split("\n");
        expect(lines).toHaveLength(2);
        expect(lines[1]).toMatch(/^└── US-1-DEL-001: .*\(depth=1\) \[running\]$/su);
        expect(lines.join("")).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

describe("renderTreeMermaid (R99)", () => {
  it("draws nodes, edges and the classes completed, running and pending", () => {
    expect(renderTreeMermaid(seedTree)).toBe(
      `graph TD
    n_US_007["US-007<br/>Add authentication<br/>depth=0"]
    n_US_007_DEL_001["US-007-DEL-001<br/>Implement JWT service<br/>depth=1"]
    n_US_007_DEL_001_DEL_001["US-007-DEL-001-DEL-001<br/>Add token refresh<br/>depth=2"]
    n_US_007_DEL_002["US-007-DEL-002<br/>Create login routes<br/>depth=1"]
    n_US_007_DEL_003["US-007-DEL-003<br/>Add auth middleware<br/>depth=1"]
    n_US_007 --> n_US_007_DEL_001
    n_US_007 --> n_US_007_DEL_002
    n_US_007 --> n_US_007_DEL_003
    n_US_007_DEL_001 --> n_US_007_DEL_001_DEL_001

    classDef completed fill:#90EE90
    classDef running fill:#FFD700
    classDef pending fill:#D3D3D3
    classDef unfinished fill:#F08080

    class n_US_007_DEL_001,n_US_007_DEL_001_DEL_001 completed
    class n_US_007,n_US_007_DEL_002 running
    class n_US_007_DEL_003 pending`,
    );
  });

  it("shows work that ended without completing in a class of its own", () => {
    const failed = { outcome: "failed" } as const;
    const tree = treeOf([makeDelegation("US-1"), makeEnded("US-1-DEL-001", span, failed)]);
    expect(renderTreeMermaid(tree)).toContain("class n_US_1_DEL_001 unfinished");
  });

  it("gives ids that differ only in punctuation different names, and never a reserved one", () => {
    const names = ["end", "a.b", "a_b", "a-b"].map(
      (id) => renderTreeMermaid(treeOf([makeDelegation(id)])).split("\n")[1],
    );
    expect(new Set(names)).toHaveLength(4);
    for (const name of names) expect(name).toMatch(/^ {4}n_\w+\["/);
  });

  it("encodes quotes, brackets, tags and entities so that no title adds to the diagram", () => {
    const hostile = `"]; click n_US_1 "javascript:alert(1)" <script> #quot; \`%%{init}%%\`\n    evil --> n_US_1`;
    const lines = renderTreeMermaid(titled(hostile)).split("\n");
    expect(lines[2]).toBe(
      '    n_US_1_DEL_001["US-1-DEL-001<br/>' +
        "#34;#93;#59; click n_US_1 #34;javascript:alert(1)#34; #60;script#62; #35;quot#59; " +
        '#96;#37;#37;#123;init#125;#37;#37;#96;     evil --#62; n_US_1<br/>depth=1"]',
    );
  });

  it("keeps every title inside its quotes, for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (title) => {
        const [, , line = ""] = renderTreeMermaid(titled(title)).split("\n");
        const label = /^ {4}n_US_1_DEL_001\["US-1-DEL-001<br\/>(.*)<br\/>depth=1"\]$/su.exec(line)?.[1];
        expect(label).not.toMatch(/["<>[\]{}`\\]/);
      }),
    );
  });
});

describe("renderTreeDot", () => {
  it("draws nodes and edges for Graphviz", () => {
    const lines = renderTreeDot(seedTree).split("\n");
    expect(lines[0]).toBe('digraph "US-007" {');
    expect(lines).toContain(
      String.raw`  "US-007-DEL-001" [label="US-007-DEL-001\nImplement JWT service\ndepth=1 [completed]", fillcolor="#90EE90"];`,
    );
    expect(lines).toContain('  "US-007-DEL-001" -> "US-007-DEL-001-DEL-001";');
    expect(lines.at(-1)).toBe("}");
  });

  it("keeps a hostile title inside its quotes", () => {
    const line = renderTreeDot(titled(String.raw`a"]; evil [x="\" \N`)).split("\n")[3];
    expect(line).toBe(
      String.raw`  "US-1-DEL-001" [label="US-1-DEL-001\na\"]; evil [x=\"\\\" \\N\ndepth=1 [running]", fillcolor="#FFD700"];`,
    );
  });
});

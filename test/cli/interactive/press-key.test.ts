import { describe, expect, it } from "vitest";
import type { InboxEntry, TreeNode } from "../../../src/app/view-types.ts";
import { pressKey, type KeyFacts, type Pressed } from "../../../src/cli/interactive/press-key.ts";
import { startState, type ScreenState } from "../../../src/cli/interactive/screen-state.ts";
import { aNode } from "../../dashboard/app/a-node.ts";

function node(id: string, more: Partial<TreeNode> = {}): TreeNode {
  return aNode({ id, label: id, title: id, state: "running", ...more });
}

function question(delegation: string, kind: InboxEntry["kind"]): InboxEntry {
  return {
    id: `${delegation}-q`,
    run: "S",
    runTitle: "",
    delegation,
    label: "",
    title: "",
    agent: "",
    kind,
    question: "?",
    details: [],
    askedAtMs: 0,
    expiresAtMs: 0,
    blocks: [],
    can: [],
  };
}

const facts: KeyFacts = {
  nodes: [
    node("S"),
    node("a", { questions: 1 }),
    node("b", { endedAtMs: 1 }),
    node("c", { questions: 1 }),
    node("d"),
  ],
  questions: [question("a", "scope"), question("c", "clarification")],
  shownQuestion: undefined,
  paneRows: 100,
  height: 3,
};

function press(
  keys: readonly string[],
  start: Partial<ScreenState> = {},
  seen: Partial<KeyFacts> = {},
): Pressed {
  let pressed: Pressed = { state: { ...startState("S"), ...start } };
  for (const key of keys) pressed = pressKey(pressed.state, key, { ...facts, ...seen });
  return pressed;
}

describe("a key on the interactive screen", () => {
  it("approves only after the question is on the screen and y is pressed", () => {
    const blind = press(["a", "a", "y"], { selected: "a" });
    expect(blind.state).toMatchObject({ pane: "question", entry: null });
    expect(blind.request).toBeUndefined();
    const seen = { shownQuestion: "a-q" };
    expect(press(["a", "a", "n"], { selected: "a" }, seen).request).toBeUndefined();
    expect(press(["a", "a", "y"], { selected: "a" }, seen).request).toStrictEqual({
      kind: "act",
      action: { kind: "approve", approval: "a-q" },
    });
  });

  it("stops a worker only after y, and never one that has ended", () => {
    expect(press(["s", "q"], { selected: "d" })).toMatchObject({ state: { note: "It works on." } });
    expect(press(["s", "y"], { selected: "d" }).request).toMatchObject({ action: { kind: "stop", id: "d" } });
    expect(press(["s", "y"], { selected: "b" }).request).toBeUndefined();
  });

  it("sends text as a reply to a worker that asked, and as a message to any other", () => {
    const typed = (id: string): Pressed => {
      const { state } = press(["r"], { selected: id });
      const entry = state.entry === null ? null : { ...state.entry, text: " use uuid " };
      return press(["return"], { ...state, entry });
    };
    expect(typed("c").request).toMatchObject({
      action: { kind: "reply", approval: "c-q", text: "use uuid" },
    });
    expect(typed("d").request).toMatchObject({ action: { kind: "message", id: "d", text: "use uuid" } });
    expect(press(["r"], { selected: "a" }).state.note).toContain("a approves, x rejects");
  });

  it("moves to the next worker that asks, and from the last to the first", () => {
    expect(press(["n"], { selected: "b" }).state.selected).toBe("c");
    expect(press(["n", "n"], { selected: "b" }).state.selected).toBe("a");
  });

  it("keeps the chosen row in sight, and scrolls a log back from its end", () => {
    expect(press(["end"]).state).toMatchObject({ selected: "d", first: 2 });
    expect(press(["end", "home"]).state).toMatchObject({ selected: "S", first: 0 });
    const log = press(["l", "up"], { selected: "d" });
    expect(log.state).toMatchObject({ pane: "log", top: 96 });
    expect(press(["end"], log.state).state.top).toBe(Number.POSITIVE_INFINITY);
    expect(press(["home", "up"], log.state).request).toStrictEqual({ kind: "earlier" });
  });
});

import { describe, expect, it } from "vitest";
import { findRecipient, type Circle } from "../../src/mailbox/find-recipient.ts";
import {
  fitLetters,
  nameLetter,
  renderLetterLine,
  renderLetter,
  type StoredLetter,
} from "../../src/mailbox/message-rules.ts";

const circle: Circle = {
  self: "S-1",
  manager: null,
  workers: [
    { id: "S-1-DEL-001", agent: "haiku1", todo: "docs", isOpen: false },
    { id: "S-1-DEL-002", agent: "haiku1", todo: "tests", isOpen: true },
    { id: "S-1-DEL-003", agent: "flash1", todo: null, isOpen: true },
    { id: "S-1-DEL-004", agent: "flash1", todo: null, isOpen: true },
    { id: "S-1-DEL-005", agent: "done", todo: null, isOpen: false },
  ],
};
const below: Circle = { self: "S-1-DEL-002", manager: { id: "S-1", agent: "lead" }, workers: [] };

describe("the recipient of a message", () => {
  it.each([
    ["manager", { kind: "person", id: "person" }],
    ["user", { kind: "person", id: "person" }],
    ["S-1-DEL-003", { kind: "worker", id: "S-1-DEL-003" }],
    ["DEL-004", { kind: "worker", id: "S-1-DEL-004" }],
    ["haiku1", { kind: "worker", id: "S-1-DEL-002" }],
    ["done", { kind: "worker", id: "S-1-DEL-005" }],
  ])("is read from a manager's %j (R172)", (to, expected) => {
    expect(findRecipient(circle, to, "x")).toStrictEqual(expected);
  });

  it.each(["manager", "manager-id", "S-1", "lead"])("is its manager for a worker's %j (R172)", (to) => {
    expect(findRecipient(below, to, "tests")).toStrictEqual({ kind: "manager", id: "S-1" });
  });

  it("is found by the task if an agent works on several (R175)", () => {
    expect(findRecipient(circle, "haiku1", "docs")).toStrictEqual({ kind: "worker", id: "S-1-DEL-001" });
    expect(findRecipient(circle, "flash1", "x")).toMatchObject({
      kind: "unknown",
      why: expect.stringContaining("S-1-DEL-003, S-1-DEL-004"),
    });
  });

  it.each(["S-1", "S-2", "S-1-DEL-009", "haiku2", "S-1-DEL-002-DEL-001", ""])(
    "is unknown for %j, which is not in the sender's circle (R121)",
    (to) => {
      expect(findRecipient(circle, to, "x").kind).toBe("unknown");
    },
  );
});

describe("a message", () => {
  const letter = { from: "a", to: "b", body: { type: "ack", task_id: "t" } };
  const stored = (state: string, id = "m1"): StoredLetter => ({ ...letter, id, state });

  it("keeps its id if it is repeated while unread, and gets a new id afterwards (R126)", () => {
    const first = nameLetter(letter, []);
    expect(nameLetter({ ...letter, body: { task_id: "t", type: "ack" } }, [stored("pending", first)])).toBe(
      first,
    );
    const second = nameLetter(letter, [stored("delivered", first)]);
    expect(second).not.toBe(first);
    expect(nameLetter(letter, [stored("delivered", first), stored("acknowledged", second)])).not.toBe(second);
    expect(nameLetter({ ...letter, to: "c" }, [stored("pending", first)])).not.toBe(first);
  });

  it.each([
    [
      {
        type: "task_status",
        blocker: "No database",
        requested_action: "Start it",
        attempted_solutions: ["x", "y"],
      },
      "is blocked: No database Asks for: Start it Tried: x, y",
    ],
    [{ type: "task_progress", progress_summary: "87/127", next_steps: "rest" }, "says: 87/127 Next: rest"],
    [{ type: "task_completion", status: "completed", result_summary: "Done" }, "reports completed: Done"],
    [{ type: "clarification_request", question: "uuid?" }, "asks: uuid?"],
    [{ type: "answer", answer: "bigint" }, "answers: bigint"],
    [{ type: "cancel", reason: "enough" }, "cancels it: enough"],
    [{ type: "ack" }, "has received it."],
    [{ type: "later" }, '{"type":"later"}'],
  ])("is put into words: %j", (body, words) => {
    expect(renderLetter(body)).toBe(words);
  });

  it("is rendered with its sender and its task", () => {
    expect(renderLetterLine(stored("pending"))).toBe("- a, about t, has received it. (m1)");
  });

  it("waits for the next time if the messages before it fill the space, but the first one never waits", () => {
    const long = { ...stored("pending"), body: { type: "answer", answer: "x".repeat(20_000) } };
    expect(fitLetters([long, long, long])).toHaveLength(1);
    expect(fitLetters([stored("pending"), long, long])).toHaveLength(2);
    expect(
      fitLetters([{ ...long, body: { type: "answer", answer: "x".repeat(60_000) } }, long]),
    ).toHaveLength(1);
  });
});

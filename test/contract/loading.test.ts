import { describe, expect, it } from "vitest";

// The tests import the modules themselves, so that a schema that cannot be built fails a test with its name.
describe("a module that builds its schemas when it is loaded", () => {
  it("reads messages (R167, R171)", async () => {
    const { messageSchema } = await import("../../src/contract/message.ts");
    const assignment = {
      type: "task_assignment",
      task_id: "t",
      content: "Fix it",
      acceptance_criteria: ["x"],
    };
    const request = { type: "clarification_request", task_id: "t", question: "Which branch?" };
    for (const message of [assignment, request]) expect(messageSchema.parse(message)).toStrictEqual(message);
  });

  it("finds settings", async () => {
    const { findConfigKey } = await import("../../src/contract/config-keys.ts");
    expect(findConfigKey("delegation.maxDepth")?.key).toBe("delegation.maxDepth");
  });

  it("reads requests, and one text as a list of one", async () => {
    const { delegationRequestSchema } = await import("../../src/contract/delegation-request.ts");
    const request = { description: "Fix the login", accept: "All tests pass" };
    expect(delegationRequestSchema.parse(request)).toStrictEqual({ ...request, accept: ["All tests pass"] });
  });

  it("reads the journal's events, each with its own data", async () => {
    const { journalEventSchema, journalEventTypes } = await import("../../src/contract/journal-event.ts");
    const event = {
      seq: 1,
      at: "2026-01-02T03:04:05.000Z",
      type: "note-added",
      story: "US-1",
      delegation: null,
      attempt: 0,
      data: { text: "Begun" },
    };
    expect(journalEventSchema.parse(event)).toStrictEqual(event);
    expect(journalEventSchema.safeParse({ ...event, type: "attempt-lost" }).success).toBe(false);
    expect(journalEventSchema.safeParse({ ...event, type: "no-such-event" }).success).toBe(false);
    expect(journalEventSchema.safeParse({ ...event, more: 1 }).success).toBe(false);
    expect(journalEventTypes).toHaveLength(37);
  });
});

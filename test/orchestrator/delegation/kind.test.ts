import { describe, expect, it } from "vitest";
import type { WorkflowFacts } from "../../../src/contract/workflow-facts.ts";
import { workSpecSchema } from "../../../src/contract/work-spec.ts";
import {
  isExternalManager,
  isLedWithoutAgent,
  readDelegationKind,
  readWorkflowFacts,
} from "../../../src/orchestrator/delegation/kind.ts";

const workflow: WorkflowFacts = {
  command: "plan",
  task: "7",
  agent: "planner",
  reason: "it plans",
  language: "general",
  timeoutSeconds: 60,
  folder: "specs/7_x",
  document: null,
  plan: null,
  ownFiles: [],
  continues: null,
  description: "Plan it",
  context: "",
  criteria: [],
};
const work = (adapter: string, more: object = {}) => workSpecSchema.parse({ adapter, ...more });

describe("the kind of a delegation", () => {
  it.each([
    ["outside", {}, "external-manager"],
    ["workflow", { workflow }, "workflow"],
    ["outside", { workflow }, "workflow"],
    ["claude", {}, "agent"],
  ])("is read from the record of a story: %s %j", (adapter, more, kind) => {
    const story = { parent: null, work: work(adapter, more) };
    expect(readDelegationKind(story)).toBe(kind);
    expect(isExternalManager(story)).toBe(kind === "external-manager");
    expect(isLedWithoutAgent(story)).toBe(kind !== "agent");
    expect(readWorkflowFacts(story)).toEqual(kind === "workflow" ? workflow : undefined);
  });

  it("is a process of ours for every worker, whatever its record says, and where nothing is recorded", () => {
    for (const adapter of ["outside", "workflow"]) {
      const worker = { parent: "S-1", work: work(adapter, { workflow }) };
      expect(readDelegationKind(worker)).toBe("agent");
      expect(isLedWithoutAgent(worker)).toBe(false);
      expect(readWorkflowFacts(worker)).toBeUndefined();
    }
    expect(readDelegationKind({ parent: null, work: null })).toBe("agent");
    expect(readWorkflowFacts({ parent: null, work: null })).toBeUndefined();
  });
});

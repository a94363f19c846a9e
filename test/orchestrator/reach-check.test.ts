import { expect, it } from "vitest";
import type { WorkSpec } from "../../src/contract/work-spec.ts";
import { checkReach } from "../../src/orchestrator/opening/reach-check.ts";

const tools = { environment: { HOME: "/nowhere" } };
type Work = Pick<WorkSpec, "adapter" | "command" | "isolation" | "network">;
const sandboxed: Work = { adapter: "claude", command: [], isolation: "sandbox" };
const blocked = (): Promise<string> => Promise.resolve("bubblewrap is missing; Landlock works");
const open = (): Promise<undefined> => Promise.resolve(undefined);

it("refuses an agent that a sandbox would cut off from its provider, and says what helps", async () => {
  const [refusal, ...more] = await checkReach(tools, sandboxed, blocked);
  expect(more).toEqual([]);
  expect(refusal).toMatchObject({ ok: false, code: "SANDBOX_UNAVAILABLE" });
  expect(refusal?.message).toContain("cannot let claude reach its provider alone: bubblewrap is missing");
  expect(refusal?.suggestion).toContain("--network");
});

it.each<[string, Work, () => Promise<string | undefined>]>([
  ["where single addresses can be reached", sandboxed, open],
  ["with the network", { ...sandboxed, network: true }, blocked],
  ["without a sandbox", { ...sandboxed, isolation: "worktree" }, blocked],
  ["that is no agent", { ...sandboxed, adapter: "command", command: ["make"] }, blocked],
])("lets a worker start %s", async (_, work, findObstacle) => {
  expect(await checkReach(tools, work, findObstacle)).toEqual([]);
});

import { check, checkCompleted, fileOn, same } from "../harness/checks.ts";
import type { AgentCli } from "../harness/clis.ts";
import type { Machine } from "../harness/machine.ts";
import { offeredTools } from "../harness/offered-tools.ts";
import { pinnedVersions } from "../harness/install.ts";
import type { Scenario } from "../harness/scenario.ts";
import { handIn } from "./scripts.ts";

const NAMES = ["claude", "codex", "gemini", "opencode"];
const OURS = [
  "delegate",
  "wait",
  "look",
  "status",
  "submit_return",
  "cancel",
  "task_update",
  "send_agent_message",
  "list_agents",
];
const REFUSED = 97;

export const tools: Scenario = {
  name: "tools",
  about:
    "the model is offered our tools and none of the CLI's own for delegating; agent programs refuse in its shell",
  shape: "alone",
  play: async ({ manager, open }) => {
    const line = NAMES.map((name) => `${name} --version 2>/dev/null; echo "${name} $?"`).join("; ");
    const machine = await open({
      scripts: {
        manager: [{ sh: `(${line}) > refused.txt` }, handIn("refused.txt")],
        plain: [{ text: "Hello." }],
      },
    });
    const run = await machine.json("run", "Try them @@S:manager", "--agent", manager.name, "--id", "S-1");
    checkCompleted(machine, run, {});
    same(
      fileOn(machine, "ambit/S-1", "refused.txt"),
      `${NAMES.map((name) => `${name} ${REFUSED}`).join("\n")}\n`,
      "what agent programs answered in the worker's shell",
    );
    const before = machine.requests().length;
    checkOffered(machine, manager);
    await machine.run(manager.name, ...manager.plain, "Say hello @@S:plain");
    const plain = machine.requests().slice(before).flatMap(offeredTools);
    check(
      ownAmong(plain, manager).length > 0,
      `without us it offers no tools of its own: ${plain.join(", ")}`,
    );
  },
};

export const usualModel: Scenario = {
  name: "usual-model",
  about:
    "offers none of its own tools for delegating to the model it chooses itself, and our server is named to it",
  shape: "alone",
  play: async ({ manager, open }) => {
    const scripts = { manager: [handIn("readme.txt")] };
    const machine = await open({ scripts, agents: { usual: `adapter: ${manager.name}` } });
    await machine.json("run", "Look around @@S:manager", "--agent", "usual", "--id", "S-1");
    const requests = machine.requests().filter((request) => offeredTools(request).length > 0);
    check(requests.length > 0, "no request offered tools");
    for (const request of requests)
      same(ownAmong(offeredTools(request), manager), [], "its own tools for delegating");
    // A newer Codex lists them only for a program that asks; then the prompt has to name them in full.
    const told = JSON.stringify(requests[0]?.body);
    check(/ambit_+submit_return/.test(told), "the prompt does not name our tools in full");
  },
};

/** In every request that offers tools at all; side requests for titles and the like offer none. */
function checkOffered(machine: Machine, cli: AgentCli): void {
  const requests = machine
    .requests()
    .map(offeredTools)
    .filter((names) => names.length > 0);
  check(requests.length > 0, "no request offered tools");
  for (const offered of requests) {
    same(ownAmong(offered, cli), [], "its own tools for delegating");
    const missing = OURS.filter(
      (name) => !offered.some((full) => full.includes("ambit") && full.endsWith(name)),
    );
    same(missing, [], `our tools that are missing among ${offered.join(", ")}`);
  }
}

function ownAmong(offered: readonly string[], { ownAgentTools }: AgentCli): readonly string[] {
  return offered.filter((name) => ownAgentTools.some((own) => name === own || name.endsWith(`__${own}`)));
}

export const doctor: Scenario = {
  name: "doctor",
  about: "ambit doctor knows it, its version and that it can be used",
  shape: "alone",
  play: async ({ manager, open }) => {
    const machine = await open({ scripts: {} });
    const { status, document } = await machine.json("doctor");
    same(status, 0, "exit status");
    const findings: readonly { name: string; detail: string }[] = document["findings"];
    const detail = findings.find(({ name }) => name === `agent ${manager.name}`)?.detail ?? "nothing";
    const version = pinnedVersions()[manager.package ?? ""] ?? "";
    check(detail.startsWith(version) && !detail.includes("not "), `doctor says: ${detail}`);
  },
};

import { check, checkCompleted, checkNothingRuns } from "../harness/checks.ts";
import type { AgentCli } from "../harness/clis.ts";
import type { Scenario } from "../harness/scenario.ts";
import { handIn, writeFile } from "./scripts.ts";

const HELLO = "hello from a real agent\n";

export const alone: Scenario = {
  name: "alone",
  about: "runs a story by itself, writes a file, returns a valid contract, its use is booked",
  shape: "alone",
  isFast: true,
  forGeneric: true,
  play: async ({ manager, open }) => {
    const machine = await open({
      scripts: {
        manager: [writeFile(manager, "hello.txt", HELLO), handIn("hello.txt")],
      },
    });
    const run = await machine.json(
      "run",
      "Write a greeting @@S:manager",
      "--agent",
      manager.name,
      "--id",
      "S-1",
      "--accept",
      "`test -s hello.txt` passes",
    );
    checkCompleted(machine, run, { "hello.txt": HELLO });
    const { document } = await machine.json("cost", "S-1");
    const counted = machine
      .requests()
      .filter(({ kind }) => kind === "scripted" || manager.isAlwaysMetered === true);
    const total = counted.reduce((sum, { usage }) => sum + (usage?.input ?? 0) + (usage?.output ?? 0), 0);
    const booked = Number(document["total_tokens_in"]) + Number(document["total_tokens_out"]);
    checkBooked(manager, { booked, total });
    if (manager.reportsUsage === false) check(document["total_cost_usd"] === null, "its cost is not unknown");
    await checkNothingRuns(machine);
  },
};

function checkBooked(
  { reportsUsage = true }: AgentCli,
  { booked, total }: { readonly booked: number; readonly total: number },
): void {
  check(booked === (reportsUsage ? total : 0), `${booked} tokens were booked, the model counted ${total}`);
}

export const sandbox: Scenario = {
  name: "sandbox",
  about:
    "does the same in a sandbox that shows it its own folder alone, and where it reaches its provider alone",
  shape: "alone",
  forGeneric: true,
  play: async ({ manager, open }) => {
    const machine = await open({
      scripts: { manager: [writeFile(manager, "hello.txt", HELLO), handIn("hello.txt")] },
    });
    const words = ["--agent", manager.name, "--id", "S-1", "--isolation", "sandbox"];
    const run = await machine.json("run", "Write a greeting @@S:manager", ...words);
    checkCompleted(machine, run, { "hello.txt": HELLO });
    await checkNothingRuns(machine);
  },
};

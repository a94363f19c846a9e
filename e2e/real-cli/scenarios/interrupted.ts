import {
  checkCompleted,
  checkNothingRuns,
  checkSameSession,
  fileOn,
  same,
  until,
} from "../harness/checks.ts";
import type { Machine } from "../harness/machine.ts";
import { processesMentioning } from "../harness/processes.ts";
import type { Scenario } from "../harness/scenario.ts";
import { handIn, type Step } from "./scripts.ts";

const PART = "begun\n";
/** Nobody else sleeps this long. */
const SLEEP = "sleep 7391";
const SAID = "I begin with a part of it";
const untilAsleep: Step[] = [{ text: SAID, write: { path: "part.txt", text: PART } }, { sh: SLEEP }];
const CONTINUED = "An earlier attempt was interrupted";

export const stop: Scenario = {
  name: "stop",
  about: "ambit stop in the middle of a shell command: nothing is left behind, its work is kept",
  shape: "alone",
  play: async ({ manager, open }) => {
    const machine = await open({ scripts: { manager: [...untilAsleep, handIn("part.txt")] } });
    await startAndWaitForSleep(machine, manager.name);
    const { status, document } = await machine.json("stop", "S-1");
    same([status, document["outcome"]], [0, "cancelled"], "stop");
    await checkNothingRuns(machine);
    same(fileOn(machine, "delegation/S-1", "part.txt"), PART, "part.txt on delegation/S-1");
  },
};

export const killed: Scenario = {
  name: "killed",
  about: "the supervisor is killed in the middle of a shell command; the CLI goes on in its own session",
  shape: "alone",
  play: async ({ manager, open }) => {
    const machine = await open({
      scripts: {
        manager: {
          turns: [
            { when: CONTINUED, steps: [{ sh: "cat part.txt > seen.txt" }, handIn("seen.txt")] },
            { steps: [...untilAsleep, handIn("part.txt")] },
          ],
        },
      },
    });
    await startAndWaitForSleep(machine, manager.name);
    const { document } = await machine.json("supervisor", "status");
    process.kill(Number(document["pid"]), "SIGKILL");
    const run = await machine.json("attach", "S-1");
    checkCompleted(machine, run, { "part.txt": PART, "seen.txt": PART });
    await checkSameSession(machine, "S-1", SAID);
    await checkNothingRuns(machine);
  },
};

async function startAndWaitForSleep(machine: Machine, agent: string): Promise<void> {
  const words = ["--agent", agent, "--id", "S-1", "--detach"];
  const { status } = await machine.json("run", "Sleep a while @@S:manager", ...words);
  same(status, 0, "exit status of run --detach");
  const isAsleep = (): boolean =>
    processesMentioning(machine.folder).some(({ command }) => command.endsWith(SLEEP));
  await until("the agent's shell command to run", isAsleep);
}

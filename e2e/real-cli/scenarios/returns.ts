import { checkCompleted, checkNothingRuns, checkSameSession } from "../harness/checks.ts";
import type { Machine } from "../harness/machine.ts";
import type { Scenario } from "../harness/scenario.ts";
import { handIn, type Step } from "./scripts.ts";

const TEXT = "one line\n";
const SAID = "All is done as you wished";
const write: Step = { write: { path: "line.txt", text: TEXT } };

const inWords: Step = { return: { ...handIn("line.txt").return, via: "text" } };

export const returnText: Scenario = {
  name: "return-text",
  about: "says its return in its last message",
  shape: "alone",
  play: async ({ manager, open }) => {
    const machine = await open({ scripts: { manager: [write, inWords] } });
    await run(machine, manager.name);
  },
};

export const repair: Scenario = {
  name: "repair",
  about: "forgets its return, is told so in its own session, and hands it in",
  shape: "alone",
  play: async ({ manager, open }) => {
    const machine = await open({
      scripts: {
        manager: {
          turns: [
            { when: "Only your return is missing or wrong", steps: [handIn("line.txt")] },
            { steps: [write, { text: `${SAID}.` }] },
          ],
        },
      },
    });
    await run(machine, manager.name);
    await checkSameSession(machine, "S-1", SAID);
  },
};

async function run(machine: Machine, agent: string): Promise<void> {
  const ended = await machine.json("run", "Write a line @@S:manager", "--agent", agent, "--id", "S-1");
  checkCompleted(machine, ended, { "line.txt": TEXT });
  await checkNothingRuns(machine);
}

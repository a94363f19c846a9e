import { agentsOf, check, checkCompleted, checkNothingRuns, same } from "../harness/checks.ts";
import type { Scenario } from "../harness/scenario.ts";
import { handIn, type Step } from "./scripts.ts";

export const nested: Scenario = {
  name: "nested",
  about: "three CLIs, one below the other; the fourth is refused by depth",
  shape: "chain",
  play: async ({ cast, manager, open }) => {
    const [, second, third] = cast;
    const level = (file: string, next: string, agent: string | undefined): Step[] => [
      { write: { path: file, text: `${file}\n` } },
      { delegate: { tasks: [{ description: `Go on @@S:${next}`, agent }] } },
      handIn(file),
    ];
    const machine = await open({
      agents: { fourth: `adapter: ${manager.name}\nmodel: ${manager.model}` },
      scripts: {
        manager: level("one.txt", "second", second?.name),
        second: level("two.txt", "third", third?.name),
        third: level("three.txt", "fourth", "fourth"),
        fourth: [{ write: { path: "four.txt", text: "never\n" } }, handIn("four.txt")],
      },
    });
    const run = await machine.json("run", "Go down @@S:manager", "--agent", manager.name, "--id", "S-1");
    checkCompleted(machine, run, {
      "one.txt": "one.txt\n",
      "two.txt": "two.txt\n",
      "three.txt": "three.txt\n",
    });
    const expected = cast.map(({ name }) => `${name} completed`);
    same(await agentsOf(machine, "S-1"), expected, "agents from the top, and how they ended");
    const asked = machine.requests().filter(({ script }) => script === "fourth").length;
    same(asked, 0, "requests of the fourth");
    const told = machine
      .requests()
      .some(({ lastResult = "", script }) => script === "third" && lastResult.includes("MAX_DEPTH_EXCEEDED"));
    check(told, "the third was not told MAX_DEPTH_EXCEEDED");
    await checkNothingRuns(machine);
  },
};

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, checkCompleted } from "../harness/checks.ts";
import type { Machine } from "../harness/machine.ts";
import type { Scenario } from "../harness/scenario.ts";
import { countToolTokens, estimateTokens, ourTools } from "../harness/token-cost.ts";
import { handIn } from "./scripts.ts";

/** Prompt and tools of one worker, in tokens. */
const MAX_TOKENS = 1100;
const TOOLS_AT_LIMIT = 4;

/** The same before the tools were chosen by need, measured in the same way. */
const BEFORE: Readonly<Record<string, number>> = { codex: 2290, gemini: 2250, opencode: 2341, claude: 2220 };

/** The first request of a worker is what it pays for again with every further one. */
export const tokens: Scenario = {
  name: "tokens",
  about:
    "our prompt and our tools cost at most 1,100 tokens in its first request, and less at the depth limit",
  shape: "alone",
  play: async ({ manager, open }) => {
    const machine = await open({ scripts: { manager: [handIn("readme.txt")] } });
    const run = async (id: string, ...more: readonly string[]): Promise<Cost> => {
      const before = machine.requests().length;
      const words = ["run", "Look around @@S:manager", "--agent", manager.name, "--id", id, ...more];
      checkCompleted(machine, await machine.json(...words), {});
      return measure(machine, id, before);
    };
    const free = await run("S-1");
    const atLimit = await run("S-2", "--depth", "0");
    const before = BEFORE[manager.name];
    console.log(
      `      ${manager.name}: ${describe(free)}${before === undefined ? "" : `, before ${before}`}; at the depth limit ${describe(atLimit)}`,
    );
    for (const cost of [free, atLimit])
      check(cost.prompt + cost.tools <= MAX_TOKENS, `${describe(cost)} is more than ${MAX_TOKENS}`);
    check(atLimit.count === TOOLS_AT_LIMIT, `${atLimit.count} tools at the depth limit`);
  },
};

interface Cost {
  readonly prompt: number;
  readonly tools: number;
  readonly count: number;
}

function measure(machine: Machine, id: string, from: number): Cost {
  const offered = machine
    .requests()
    .slice(from)
    .map(ourTools)
    .find((tools) => tools.length > 0);
  check(offered !== undefined, "no request offered our tools");
  const tools = offered ?? [];
  const prompt = readFileSync(join(machine.project, ".git/ambit/logs", id, "attempt-1/prompt.md"), "utf8");
  // A namespace holds all of them.
  const count = tools.reduce(
    (sum, tool) => sum + (Array.isArray(tool["tools"]) ? tool["tools"].length : 1),
    0,
  );
  return { prompt: estimateTokens(prompt), tools: countToolTokens(tools), count };
}

function describe({ prompt, tools, count }: Cost): string {
  return `${prompt + tools} tokens (prompt ${prompt}, ${count} tools ${tools})`;
}

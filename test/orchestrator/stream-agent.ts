import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Project } from "../e2e/project.ts";

/** What a program does that prints the events of an agent CLI, one run after the other. */
export type StreamAction =
  | { readonly print: object }
  /** Prints one event for each step, the number of the step in place of `"#"`, until it is ended or has made `most`. */
  | { readonly steps: object; readonly everyMs: number; readonly most?: number }
  /** Posts to this path below the address in this variable, for ever or `most` times. */
  | { readonly post: string; readonly variable: string; readonly everyMs: number; readonly most?: number }
  | { readonly waitFor: string }
  | { readonly touch: string }
  | { readonly done: string }
  | { readonly exit: number };

export interface StreamAgent {
  readonly command: readonly string[];
  /** Steps it has made, over all runs. */
  readonly steps: () => number;
  /** Arguments of each run. */
  readonly runs: () => readonly string[];
}

const program = `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
const [folder, ...words] = process.argv.slice(2);
appendFileSync(folder + "/runs", words.join(" ") + "\\n");
const runs = JSON.parse(readFileSync(folder + "/plan.json", "utf8"));
const number = readFileSync(folder + "/runs", "utf8").split("\\n").length - 1;
const actions = runs[Math.min(number, runs.length) - 1];
const prompt = readFileSync(0, "utf8");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const print = (event, step) => console.log(JSON.stringify(event).replaceAll('"#"', JSON.stringify("step-" + number + "-" + step)));
for (const action of actions) {
  if (action.print) print(action.print, 0);
  if (action.touch) writeFileSync(action.touch, "");
  if (action.waitFor) while (!existsSync(action.waitFor)) await pause(20);
  for (let step = 1; action.steps && step <= (action.most ?? Infinity); step += 1) {
    appendFileSync(folder + "/steps", "x");
    print(action.steps, step);
    await pause(action.everyMs);
  }
  for (let step = 1; action.post && step <= (action.most ?? Infinity); step += 1) {
    const answer = await fetch(process.env[action.variable] + action.post, { method: "POST", body: "{}" });
    await answer.text();
    await pause(action.everyMs);
  }
  if (action.done) {
    const file = process.env.AMBIT_RETURN_FILE;
    const metadata = JSON.parse(process.env.AMBIT_RETURN_METADATA);
    writeFileSync(file, JSON.stringify({ status: "completed", summary: action.done, artifacts: [], metadata }));
  }
  if (action.exit !== undefined) process.exit(action.exit);
}
`;

/** A program of its own, whose last run is repeated when it is started more often than there are runs. */
export function streamAgent(
  project: Project,
  name: string,
  runs: readonly (readonly StreamAction[])[],
): StreamAgent {
  const folder = join(dirname(project.root), "stream-agents", name);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "agent.mjs");
  writeFileSync(file, program);
  writeFileSync(join(folder, "plan.json"), JSON.stringify(runs));
  const text = (part: string): string => {
    const path = join(folder, part);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  return {
    command: [process.execPath, file, folder],
    steps: () => text("steps").length,
    runs: () => text("runs").split("\n").slice(0, -1),
  };
}

/** Claude Code's events. */
export const claude = {
  adapter: "claude",
  begin: (session = "session-1") => ({ print: { type: "system", subtype: "init", session_id: session } }),
  step: (inputTokens: number, model = "claude-sonnet-4-5") => ({
    type: "assistant",
    message: {
      id: "#",
      model,
      content: [{ type: "tool_use", id: "#", name: "Bash", input: {} }],
      usage: { input_tokens: inputTokens, output_tokens: 0, cache_read_input_tokens: 0 },
    },
    parent_tool_use_id: null,
  }),
  end: (
    total: { readonly input: number; readonly output: number; readonly usd: number },
    model = "claude-sonnet-4-5",
  ) => ({
    print: {
      type: "result",
      subtype: "success",
      is_error: false,
      result: "Done.",
      total_cost_usd: total.usd,
      usage: {},
      modelUsage: { [model]: { inputTokens: total.input, outputTokens: total.output, costUSD: total.usd } },
    },
  }),
  full: (retryMs: number) => [
    {
      print: {
        type: "system",
        subtype: "api_retry",
        error: "rate limit",
        error_status: 429,
        retry_delay_ms: retryMs,
      },
    },
    {
      print: {
        type: "result",
        subtype: "success",
        is_error: true,
        result: "API Error: 429 rate_limit_error",
        api_error_status: 429,
      },
    },
    { exit: 1 },
  ],
} as const;

/** OpenCode's. */
export const opencode = {
  adapter: "opencode",
  step: (input: number, cost: number) => ({
    type: "step_finish",
    sessionID: "ses_1",
    part: { id: "#", reason: "tool-calls", tokens: { input, output: 0, reasoning: 0, cache: {} }, cost },
  }),
} as const;

/** Codex's. */
export const codex = {
  adapter: "codex",
  begin: { print: { type: "thread.started", thread_id: "thread-1" } },
  call: { type: "item.started", item: { id: "#", type: "command_execution", command: "true" } },
  end: (input: number, cached: number, output: number) => ({
    print: {
      type: "turn.completed",
      usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output },
    },
  }),
} as const;

/**
 * Random states of a user's checkout, each with a story that is merged and undone:
 * npm run test:checkouts -- --states 10000 [--kills 0.25] [--commands 300] [--seed n] [--lanes 2]
 * `--kills` is the share of states in which the merging and the undoing process gets SIGKILL, `--commands` the number of
 * states that go through the built command, with kills of the command and of the supervisor. It fails when a byte,
 * mode, index entry, branch or stash of the user's is not what it must be, and prints the smallest such state; and
 * when a control without the defence is not noticed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { type CheckoutPlace, makeCheckout } from "../workspace/checkout-place.ts";
import { checkoutStates } from "../workspace/checkout-states.ts";
import { mergeInCheckout, type MergeOptions } from "../workspace/merge-in-checkout.ts";
import { CommandRuns, doDeeds } from "./checkouts/command-runs.ts";
import { MovingProcess, obeyMoves } from "./checkouts/moving-process.ts";
import { mergePlainly } from "./checkouts/plain-merge.ts";
import { createRandom } from "./random.ts";

const { values } = parseArgs({
  options: {
    states: { type: "string", default: "10000" },
    kills: { type: "string", default: "0.25" },
    commands: { type: "string", default: "0" },
    lanes: { type: "string", default: "1" },
    seed: { type: "string" },
    controls: { type: "boolean", default: true },
    moves: { type: "string" },
    deeds: { type: "string" },
  },
  allowNegative: true,
});

/** A new repository for each part, so that objects of thousands of states do not slow git down. */
const STATES_OF_A_PART = 250;
const MAX_STATES_OF_A_CONTROL = 300;
const program = [process.execPath, process.argv[1] ?? ""];

if (values.moves !== undefined) await obeyMoves(values.moves);
else if (values.deeds !== undefined) doDeeds(values.deeds);
else process.exitCode = await main();

async function main(): Promise<number> {
  const seed = values.seed === undefined ? Date.now() & 0x7fffffff : Number(values.seed);
  const lanes = Number(values.lanes);
  const isGood = lanes > 1 ? await runLanes(lanes, seed) : await runParts(seed);
  const areControlsSeen = !values.controls || (await runControls(seed));
  return isGood && areControlsSeen ? 0 : 1;
}

async function runLanes(lanes: number, seed: number): Promise<boolean> {
  const [states, commands] = [values.states, values.commands].map((count) =>
    String(Math.ceil(Number(count) / lanes)),
  );
  const codes = Array.from({ length: lanes }, async (_, lane) => {
    const words = ["--states", states ?? "", "--commands", commands ?? "", "--kills", values.kills];
    const own = ["--no-controls", "--seed", String(seed + lane * 1_000)];
    const child = spawn(program[0] ?? "", [...program.slice(1), ...words, ...own], { stdio: "inherit" });
    await once(child, "exit");
    return child.exitCode;
  });
  return (await Promise.all(codes)).every((code) => code === 0);
}

async function runParts(seed: number): Promise<boolean> {
  let isGood = true;
  const plans = [
    { left: Number(values.states), run: runStates },
    { left: Number(values.commands), run: runCommands },
  ];
  for (const { left, run } of plans)
    for (let done = 0; done < left && isGood; done += STATES_OF_A_PART)
      isGood = await run({
        seed: seed + done / STATES_OF_A_PART,
        states: Math.min(STATES_OF_A_PART, left - done),
      });
  return isGood;
}

interface Part {
  readonly seed: number;
  readonly states: number;
  /** A control: the move is forgotten after each kill. */
  readonly forgets?: boolean;
}

async function runStates({ seed, states, forgets = false }: Part): Promise<boolean> {
  const project = await makeCheckout();
  const random = createRandom(seed);
  const tally = { kills: 0, inTheMiddle: 0 };
  const killed = new MovingProcess(project, { random, tally, forgets, program: [...program, "--moves"] });
  const share = forgets ? 1 : Number(values.kills);
  try {
    const choose = (): MergeOptions => (random.chance(share) ? { runStory: killed.runStory } : {});
    return await check(project, { seed, states, choose, facts: tally, endOnFailure: forgets });
  } finally {
    killed.close();
    project.remove();
  }
}

async function runCommands({ seed, states }: Part): Promise<boolean> {
  const project = await makeCheckout();
  const runs = new CommandRuns(project, { random: createRandom(seed), program: [...program, "--deeds"] });
  const choose = (): MergeOptions => ({ runStory: runs.runStory, keepsOurs: true });
  try {
    return await check(project, { seed, states, choose, facts: runs.tally, endOnFailure: true });
  } finally {
    await runs.close();
    project.remove();
  }
}

interface Check {
  readonly seed: number;
  readonly states: number;
  readonly choose: () => MergeOptions;
  /** What else the report counts. */
  readonly facts: object;
  /** Without a search for a smaller state. */
  readonly endOnFailure?: boolean;
}

async function check(
  project: CheckoutPlace,
  { seed, states, choose, facts, endOnFailure = false }: Check,
): Promise<boolean> {
  const endings: Record<string, number> = {};
  const details = await fc.check(
    fc.asyncProperty(checkoutStates, async (state) => {
      const ending = await mergeInCheckout(project, state, choose());
      endings[ending] = (endings[ending] ?? 0) + 1;
    }),
    { numRuns: states, seed, endOnFailure },
  );
  const { failed } = details;
  process.stdout.write(`${JSON.stringify({ seed, states: details.numRuns, endings, ...facts, failed })}\n`);
  if (failed)
    process.stdout.write(`${fc.defaultReportMessage(details) ?? ""}\n${String(details.errorInstance)}\n`);
  return !failed;
}

/** A merge by git alone, and kills whose note is lost: if these count as fine, the suite sees nothing. */
async function runControls(seed: number): Promise<boolean> {
  process.stdout.write("controls, which must fail:\n");
  const isForgottenNoticed = !(await runStates({ seed, states: MAX_STATES_OF_A_CONTROL, forgets: true }));
  const project = await makeCheckout();
  const choose = (): MergeOptions => ({ runStory: mergePlainly });
  const plain = { seed, states: MAX_STATES_OF_A_CONTROL, choose, facts: {}, endOnFailure: true };
  const isPlainNoticed = !(await check(project, plain));
  project.remove();
  process.stdout.write(`${JSON.stringify({ controls: { isForgottenNoticed, isPlainNoticed } })}\n`);
  return isForgottenNoticed && isPlainNoticed;
}

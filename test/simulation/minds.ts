import { EXHAUSTED_LINE } from "../../src/agents/adapters/command/usage-line.ts";
import type { Random } from "../slow/random.ts";
import { goalCommand, goalPath } from "./checks.ts";
import type { Hand } from "./hand.ts";
import { agentNames } from "./tools.ts";

/** What one delegation's agent is like, in all its attempts. */
export interface Mind {
  readonly nature: Nature;
  readonly goal: number;
  readonly isManager: boolean;
  /** How a manager hands out work. */
  readonly way: (typeof ways)[number];
  batchesLeft: number;
  badReturnsLeft: number;
  handoversLeft: number;
  questionsLeft: number;
  /** It was told to end its turn and to wait for results; it has not had them yet. */
  isPromisedResults: boolean;
  /** Does what it is asked to, returns what it should: it must not fail for reasons of form. */
  readonly isFaithful: boolean;
}

export const natures = [
  "honest",
  "liar",
  "saboteur",
  "hanger",
  "silent",
  "sloppy",
  "hopeless",
  "interrupted",
  "giver-up",
  "retrier",
  "talker",
  "exhausted",
  "asker",
  "hog",
  "intruder",
  "rival",
  "storm",
] as const;
export type Nature = (typeof natures)[number];

const ways = ["inline", "impatient", "ticket", "directive", "parallel"] as const;

export interface Circumstances {
  readonly random: Random;
  readonly depth: number;
  readonly isAdversarial: boolean;
  readonly isCrowded: boolean;
  readonly nextGoal: () => number;
}

const STYLES = ["tabs", "spaces"] as const;

export function makeMind(goal: number, { random, depth, isAdversarial, isCrowded }: Circumstances): Mind {
  const isHonest = !isAdversarial && random.chance(isCrowded ? 0.8 : 0.45);
  const nature = isHonest ? "honest" : random.pick(isAdversarial && random.chance(0.6) ? storms : natures);
  return {
    nature,
    goal,
    isManager: nature === "storm" || random.chance(depth === 0 ? 0.85 : 0.5),
    way: random.pick(ways),
    batchesLeft: isAdversarial ? 3 : random.chance(0.3) ? 2 : 1,
    badReturnsLeft: nature === "sloppy" ? 1 + random.below(2) : 0,
    handoversLeft: nature === "exhausted" ? 1 + random.below(3) : 0,
    questionsLeft: nature === "asker" ? 1 + random.below(2) : 0,
    isPromisedResults: false,
    isFaithful: nature === "honest" || nature === "asker",
  };
}

const storms: readonly Nature[] = ["storm", "hog", "storm", "liar", "honest"];

/** Lives one attempt, to the exit of its process. */
export async function live(hand: Hand, mind: Mind, now: Circumstances): Promise<void> {
  const { random } = now;
  if (random.chance(0.5)) await hand.writeReturn(`{"status":"in_progress"}`);
  await use(hand, mind, random);
  if (mind.nature === "silent" && random.chance(0.5)) return hand.hang();
  await work(hand, mind, random);
  await use(hand, mind, random);
  if (mind.nature === "hanger") return hand.hang();
  if (mind.questionsLeft > 0 && random.chance(0.8)) {
    mind.questionsLeft -= 1;
    await hand.ask(`May I do goal ${mind.goal}?`, random.chance(0.5) ? 5 : 0.2);
  }
  if (mind.handoversLeft > 0 && random.chance(0.7)) {
    mind.handoversLeft -= 1;
    await hand.writeHandover();
    await hand.say(EXHAUSTED_LINE);
    return hand.exit(0);
  }
  if (mind.isManager && mind.batchesLeft > 0 && (hand.turn === "begin" || hand.turn === "results")) {
    mind.batchesLeft -= 1;
    if (await handOut(hand, mind, now)) return hand.exit(0);
  }
  await leave(hand, mind, random);
}

/** A request to a model, and what it cost. */
async function use(hand: Hand, mind: Mind, random: Random): Promise<void> {
  const times = mind.nature === "hog" ? 6 : random.below(2);
  for (let index = 0; index < times; index += 1)
    await hand.report({
      inputTokens: random.below(200),
      cachedTokens: random.below(50),
      outputTokens: random.below(100),
      microUsd: mind.nature === "hog" ? 10_000 : random.below(1500),
      source: "simulated",
    });
}

async function work(hand: Hand, mind: Mind, random: Random): Promise<void> {
  const { nature, goal } = mind;
  const mark = `${hand.id}#${hand.attempt}`;
  for (const [path, content] of hand.files)
    if (content.startsWith("<<<"))
      await hand.write(path, path.startsWith("goals/") ? `ok merged ${mark}` : `both ${mark}`);
  if (nature === "liar" && random.chance(0.5)) return;
  const isGood = nature !== "liar" && !(nature === "retrier" && hand.turn === "begin");
  await hand.write(goalPath(goal), `${isGood ? "ok" : "broken"} ${mark}`);
  if (random.chance(0.15)) await hand.write(`style/${goal}`, random.pick(STYLES));
  if (nature === "rival" || random.chance(0.2)) await hand.write("shared", mark);
  if (nature === "intruder")
    await hand.write(random.chance(0.5) ? `outside/${goal}` : `.github/${goal}`, mark);
  const others = [...hand.files.keys()].filter(
    (path) => path.startsWith("goals/") && path !== goalPath(goal),
  );
  if (nature === "saboteur" && others.length > 0) await hand.write(random.pick(others), `broken by ${mark}`);
}

/** Answers whether it is now to end its turn without a return. */
async function handOut(hand: Hand, mind: Mind, now: Circumstances): Promise<boolean> {
  const { random } = now;
  const tasks = Array.from({ length: sizeOfBatch(mind, now) }, () => makeTask(mind, now));
  if (mind.nature === "storm") await rage(hand, tasks, random);
  switch (mind.way) {
    case "directive": {
      const lines = tasks.map((task) => `[delegate:${task.description}:3]`);
      await hand.say(["Others do the rest.", ...lines, random.chance(0.2) ? "[delegate:]" : ""].join("\n"));
      mind.isPromisedResults = true;
      return true;
    }
    case "parallel": {
      const other = makeTask(mind, now);
      const second = random.chance(0.5)
        ? hand.delegate([other], 30)
        : hand.ask("Which way?", 10 + random.below(40)).then(() => undefined);
      const answers = await Promise.all([hand.delegate(tasks, 30), second]);
      return answers.some((answer) => isToEnd(mind, answer));
    }
    case "inline":
    case "impatient":
    case "ticket": {
      const waitSeconds = { inline: 600, impatient: 1 + random.below(8), ticket: 0 }[mind.way];
      return isToEnd(mind, await hand.delegate(tasks, waitSeconds));
    }
  }
}

function isToEnd(mind: Mind, answer: Awaited<ReturnType<Hand["delegate"]>>): boolean {
  const isToWait = answer !== undefined && !answer.done && answer.tasks.some(({ admitted }) => admitted);
  if (isToWait) mind.isPromisedResults = true;
  return isToWait;
}

function sizeOfBatch({ nature }: Mind, { random, isCrowded }: Circumstances): number {
  if (isCrowded) return 4 + random.below(4);
  return nature === "storm" ? 1 + random.below(14) : 1 + random.below(3);
}

interface Task {
  readonly description: string;
  readonly [field: string]: unknown;
}

function makeTask(mind: Mind, { random, nextGoal }: Circumstances): Task {
  const goal = random.chance(0.05) ? mind.goal : nextGoal();
  const isStorm = mind.nature === "storm" || mind.nature === "hog";
  const accept = random.chance(0.85) ? [`\`${goalCommand(goal)}\` exits with code 0`] : [];
  const more = random.chance(0.1) ? ["Looks right to a person"] : [];
  return {
    description: `Make goal ${goal}`,
    ...(random.chance(0.9) ? { accept: [...accept, ...more] } : {}),
    ...(random.chance(0.25) ? { agent: random.pick(isStorm ? [...agentNames, "nobody"] : agentNames) } : {}),
    ...(random.chance(0.2) ? { file_scope: ["goals/**", `style/${goal}`, "shared"] } : {}),
    ...(random.chance(0.12) ? { depends_on: [dependency(random)] } : {}),
    ...(random.chance(isStorm ? 0.6 : 0.15) ? { budget_usd: random.below(isStorm ? 100 : 10) / 100 } : {}),
    ...(random.chance(isStorm ? 0.3 : 0.1) ? { budget_tokens: 1 + random.below(isStorm ? 5000 : 900) } : {}),
    ...(random.chance(0.2) ? { priority: random.below(5) - 2 } : {}),
    ...(random.chance(0.2) ? { timeout_seconds: 5 + random.below(60) } : {}),
  };
}

function dependency(random: Random): string {
  return random.pick(["#1", "#1", "#2", "DEL-001", "DEL-001", "DEL-002", "#9", "nothing"]);
}

/** Everything at once, and what no sensible agent asks for. */
async function rage(hand: Hand, tasks: readonly Task[], random: Random): Promise<void> {
  const [first] = tasks;
  const many = Array.from({ length: 40 }, (_, index) => ({ description: `Make goal ${index}` }));
  const calls = [
    () => hand.delegate([...tasks, ...tasks], 0),
    () => hand.delegate(many, 0),
    () => hand.delegate([], 0),
    () => hand.delegate([{ description: "" }, { description: "x", depth: 0 }], 0),
    () =>
      hand.delegate(
        [
          { ...first, agent: "ada" },
          { ...first, agent: "bob" },
        ],
        random.below(3),
      ),
    () => hand.delegateAs(hand.attempt - 1, tasks),
    () => hand.delegateAs(hand.attempt + 1, tasks),
    () => hand.ask("Why?", random.below(3)),
  ];
  const chosen = calls.filter(() => random.chance(0.4));
  await Promise.all(chosen.map((call) => call()));
}

/** The last thing it does: a return, or something that is none. */
async function leave(hand: Hand, mind: Mind, random: Random): Promise<void> {
  const { nature, goal } = mind;
  const artifacts = hand.files.has(goalPath(goal)) ? [goalPath(goal)] : [];
  if (nature === "hopeless" || mind.badReturnsLeft > 0) {
    mind.badReturnsLeft -= 1;
    await hand.writeReturn(badReturn(hand, artifacts, random));
    return hand.exit(random.below(2));
  }
  switch (nature) {
    case "silent":
      return hand.exit(0);
    case "interrupted":
      await hand.writeReturn(`{"status":"in_progress"}`);
      return hand.exit(1);
    case "giver-up":
      await hand.giveReturn({ status: random.pick(["partial", "blocked", "failed"]), artifacts });
      break;
    case "retrier":
      if (hand.turn === "begin")
        await hand.giveReturn({
          status: random.pick(["failed", "completed"]),
          artifacts,
          isRecoverable: true,
        });
      else await hand.giveReturn({ status: "completed", artifacts });
      break;
    case "talker":
      await hand.say(`Here it is:\n${hand.renderReturn({ status: "completed", artifacts })}`);
      break;
    default:
      await hand.giveReturn({ status: "completed", artifacts });
  }
  return hand.exit(random.chance(0.9) ? 0 : 3);
}

function badReturn(hand: Hand, artifacts: readonly string[], random: Random): string {
  const good = hand.renderReturn({ status: "completed", artifacts });
  return random.pick([
    "I have done it!",
    good.slice(0, Math.floor(good.length / 2)),
    hand.renderReturn({ status: "completed", artifacts: ["no/such/file"] }),
    hand.renderReturn({ status: "completed", artifacts, session: "sess_1700000000_zzzzzz" }),
    "[]",
    `{"status":"done"}`,
  ]);
}

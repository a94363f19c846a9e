import { createHash } from "node:crypto";
import type { Failure, ModelRequest } from "../apis/wire-api.ts";
import type { ModelScript, ModelScripts, ModelStep, TokenCounts } from "../script/model-script.ts";
import { buildExampleValue } from "./example-value.ts";
import type { FillFacts } from "./fill-text.ts";
import { findScene, type Scene } from "./find-scene.ts";
import { planStep, type PlannedStep } from "./plan-step.ts";
import { readPromptFacts } from "./prompt-facts.ts";

export interface Stage {
  readonly scripts: ModelScripts;
  /** Whether a limited failure may happen once more; each call counts. */
  readonly mayHappen: (key: string, times: number | undefined) => boolean;
}

export interface Play {
  readonly delayMs: number;
  readonly planned: PlannedStep;
  readonly usage: TokenCounts;
  readonly failure?: Failure;
  /** Break the connection after this many events, or after half of them if null. */
  readonly cutAfter?: number | null;
  /** Absent for a side request. */
  readonly script?: string;
  readonly turn?: number;
  readonly step?: number;
}

const DEFAULT_USAGE: TokenCounts = { input: 100, cached: 0, output: 20 };
const SIDE_ANSWER = "OK.";
const LAST_WORDS = "Done.";

/** The scripted model's answer to a request. */
export function playRequest(request: ModelRequest, stage: Stage): Play {
  const scene = findScene(request);
  if (scene === undefined) return playPlainText(answerSideRequest(request));
  const script = Object.hasOwn(stage.scripts, scene.script) ? stage.scripts[scene.script] : undefined;
  if (script === undefined) return unknownScript(scene.script, stage.scripts);
  if (request.tools.length === 0 && !playsWithoutTools(script))
    return playPlainText(answerSideRequest(request));
  const { turn, steps } = chooseTurn(script, scene);
  const played = playNextStep(steps, { scene, request, stage, turn });
  return { ...played, script: scene.script, turn };
}

/** Has the demanded form, so that a CLI does not ask again. */
function answerSideRequest({ answerSchema }: ModelRequest): string {
  return answerSchema === undefined ? SIDE_ANSWER : JSON.stringify(buildExampleValue(answerSchema));
}

function unknownScript(name: string, scripts: ModelScripts): Play {
  const known = Object.keys(scripts).join(", ");
  const problem = `No script is called ${name}; there are: ${known === "" ? "none" : known}.`;
  return { ...playPlainText(problem), script: name, planned: { text: problem, calls: [], problem } };
}

function playPlainText(text: string): Play {
  return { delayMs: 0, planned: { text, calls: [] }, usage: DEFAULT_USAGE };
}

function playsWithoutTools(script: ModelScript): boolean {
  return !Array.isArray(script) && script.withoutTools;
}

function chooseTurn(script: ModelScript, scene: Scene): { turn: number; steps: readonly ModelStep[] } {
  if (Array.isArray(script)) return { turn: 0, steps: script };
  const turns = script.turns.map((turn, index) => ({ ...turn, index }));
  const fitting = turns.find(({ when }) => when !== undefined && scene.prompt.includes(when));
  const inOrder = turns.filter(({ when }) => when === undefined);
  const chosen = fitting ?? inOrder[scene.earlierPrompts] ?? inOrder.at(-1);
  return { turn: chosen?.index ?? 0, steps: chosen?.steps ?? [] };
}

interface Situation {
  readonly scene: Scene;
  readonly request: ModelRequest;
  readonly stage: Stage;
  readonly turn: number;
}

/** Each tool result answers one call: the first step with unanswered calls is next. */
function playNextStep(steps: readonly ModelStep[], situation: Situation): Play {
  const { scene, request } = situation;
  const { prompt, results } = scene;
  const facts: FillFacts = { ...readPromptFacts(prompt), prompt, results, model: request.model };
  let unexplained = results.length;
  for (const [index, step] of steps.entries()) {
    if (step.error !== undefined && unexplained > 0) continue;
    const planned = planStep(step, facts, request.tools);
    if (planned.calls.length > 0 && unexplained > 0) {
      unexplained = Math.max(0, unexplained - planned.calls.length);
      continue;
    }
    const play = playStep(step, planned, countAtPlace(situation, index, situation.stage));
    if (play !== undefined) return { ...play, step: index };
  }
  return { ...playPlainText(LAST_WORDS), step: steps.length };
}

/** Undefined for a failure that has reached its limit. */
function playStep(step: ModelStep, planned: PlannedStep, happens: Stage["mayHappen"]): Play | undefined {
  const base = { delayMs: step.delayMs ?? 0, planned, usage: step.usage ?? DEFAULT_USAGE };
  if (step.error !== undefined)
    return happens("error", step.error.times) ? { ...base, failure: step.error } : undefined;
  if (step.cut === undefined || !happens("cut", step.cut.times)) return base;
  return { ...base, cutAfter: step.cut.afterEvents ?? null };
}

/** Failures are the only state, because a repeated request looks exactly like the first. */
function countAtPlace({ scene, turn }: Situation, index: number, stage: Stage): Stage["mayHappen"] {
  const prompt = createHash("sha256").update(scene.prompt).digest("hex");
  const place = [scene.script, turn, index, scene.earlierPrompts, scene.results.length, prompt].join("/");
  return (what, times) => stage.mayHappen(`${what}/${place}`, times);
}

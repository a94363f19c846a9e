import * as z from "zod";
import { defaultLimits, hardCaps, type Limits } from "../contract/limits.ts";
import { configErrors } from "../errors/config.ts";
import { judgeAgentPath } from "../guards/agent-path.ts";
import { contextBudgetGuard } from "../guards/context-budget.ts";
import { countGuard } from "../guards/count.ts";
import { closesCycle } from "../guards/cycle.ts";
import { depthGuard } from "../guards/depth.ts";
import { judgeDescription } from "../guards/description.ts";
import type { Failed, GuardFacts, GuardRequest, Verdict } from "../guards/verdict.ts";
import { defineUseCase } from "./use-case.ts";
import { describeVerdict, verdictFields } from "./check/verdict.ts";

export type { Judgement } from "./check/verdict.ts";

const count = () => z.int().min(0);
const allowed = () => z.looseObject({ allowed: z.boolean(), ...verdictFields() });
const allowedDepth = () => allowed().extend({ child_depth: count() });

/** May a caller at this depth delegate? */
export const checkDepthUseCase = defineUseCase({
  input: () => z.strictObject({ caller: count(), max: count() }),
  output: allowedDepth,
  isReadOnly: true,
  run: async (_context, { caller, max }) => {
    refuseAboveCap(max, hardCaps.maxDepth);
    const limits = { ...defaultLimits, maxDepth: max };
    const verdict = depthGuard(request, { ...facts, callerDepth: caller }, limits);
    const judged = describeVerdict(`depth ${caller + 1} is within ${max}`, listFailures(verdict));
    return { allowed: verdict.ok, child_depth: caller + 1, ...judged };
  },
});

/** May the last agent of a path delegate to another? */
export const checkPathUseCase = defineUseCase({
  input: () => z.strictObject({ path: z.array(z.string()), target: z.string(), max: count() }),
  output: allowedDepth,
  isReadOnly: true,
  run: async (_context, { path, target, max }) => {
    refuseAboveCap(max, hardCaps.maxDepth);
    const { allowed: isAllowed, childDepth, failures } = judgeAgentPath(path, target, max);
    const passed = `${[...path, target].join(" → ")} is depth ${childDepth} of ${max}`;
    return { allowed: isAllowed, child_depth: childDepth, ...describeVerdict(passed, failures) };
  },
});

const edge = () => z.tuple([z.string(), z.string()]);

/** Would one more edge close a cycle? */
export const checkCycleUseCase = defineUseCase({
  input: () => z.strictObject({ edges: z.array(edge()), add: edge() }),
  output: () => z.looseObject({ cycle: z.boolean(), ...verdictFields() }),
  isReadOnly: true,
  run: async (_context, { edges, add: [from, to] }) => {
    const cycle = closesCycle(edges, [from, to]);
    const line = `${from} → ${to}`;
    const message = `${line} would close a cycle: ${to} already leads to ${from}`;
    const failures = cycle ? [{ code: "CYCLE_DETECTED", message }] : [];
    return { cycle, ...describeVerdict(`${line} closes no cycle`, failures) };
  },
});

/** Do the tokens of parent and child fit into the limit? */
export const checkBudgetUseCase = defineUseCase({
  input: () => z.strictObject({ parent: count(), child: count(), max: count() }),
  output: allowed,
  isReadOnly: true,
  run: async (_context, { parent, child, max }) => {
    const verdict = contextBudgetGuard(
      { ...request, contextTokens: child },
      { ...facts, callerContextTokens: parent },
      { ...defaultLimits, maxContextTokens: max },
    );
    const judged = describeVerdict(`${parent + child} of ${max} tokens`, listFailures(verdict));
    return { allowed: verdict.ok, ...judged };
  },
});

/** Do more delegations fit into the story? */
export const checkCountUseCase = defineUseCase({
  input: () => z.strictObject({ existing: count(), requested: count(), max: count() }),
  output: allowed,
  isReadOnly: true,
  run: async (_context, { existing, requested, max }) => {
    refuseAboveCap(max, hardCaps.maxDelegations);
    // The question is only about the story's own limit, so the caller may have as many workers as the story.
    const limits: Limits = { ...defaultLimits, maxDelegations: max, fanOut: [max, max, max] };
    const now = { ...facts, storyDelegations: existing, batchSize: requested };
    const verdict = countGuard(request, now, limits);
    const judged = describeVerdict(`${existing + requested} of ${max} delegations`, listFailures(verdict));
    return { allowed: verdict.ok, ...judged };
  },
});

/** Is a description short and free of shell characters, as the text form `[delegate:…]` must be? */
export const checkDescriptionUseCase = defineUseCase({
  input: () => z.strictObject({ text: z.string() }),
  output: () => z.looseObject({ safe: z.boolean(), ...verdictFields() }),
  isReadOnly: true,
  run: async (_context, { text }) => {
    const failures = judgeDescription(text, defaultLimits);
    return { safe: failures.length === 0, ...describeVerdict("safe description", failures) };
  },
});

/** A limit that is asked about obeys the same cap as one in the configuration. */
function refuseAboveCap(value: number, cap: number): void {
  if (value > cap) throw configErrors.aboveCap("--max", value, cap);
}

function listFailures(verdict: Verdict): readonly Failed[] {
  return verdict.ok ? [] : [verdict];
}

const request: GuardRequest = { description: "", contextTokens: 0 };

const facts: GuardFacts = {
  callerDepth: 0,
  agentPath: [],
  idPath: [],
  storyDelegations: 0,
  callerWorkers: 0,
  batchSize: 0,
  callerContextTokens: 0,
  availableMicroUsd: null,
};

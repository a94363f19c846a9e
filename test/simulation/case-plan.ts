import { defaultLimits, type Limits } from "../../src/contract/limits.ts";
import type { RunSettings } from "../../src/orchestrator/ports/run-tools.ts";
import { createRandom, type Random } from "../slow/random.ts";
import { goalCommand, TEST_COMMAND } from "./checks.ts";
import type { Planted } from "./planted.ts";
import type { CrashPlan } from "./world.ts";

/** All that is fixed before a case begins. */
export interface CasePlan {
  readonly seed: number;
  readonly crashPlan: CrashPlan;
  readonly settings: RunSettings;
  readonly settingsOf: (story: string | undefined) => RunSettings;
  readonly stories: readonly object[];
  readonly isAdversarial: boolean;
  readonly isPlain: boolean;
  readonly planted: Planted;
  readonly checkMs: number;
}

export interface CaseWish {
  readonly isAdversarial?: boolean;
  readonly isPlain?: boolean;
  readonly planted?: Planted;
  /** Instead of what the seed says. */
  readonly crashes?: number;
  readonly focus?: string;
  /** Many workers at once and slow checks, so that returned work waits in line. */
  readonly isCrowded?: boolean;
}

const CROWDED_CHECK_MS = 20_000;
const crowd: Pick<Limits, "fanOut" | "maxConcurrent" | "maxDelegations" | "timeoutSeconds"> = {
  maxConcurrent: 8,
  maxDelegations: 24,
  fanOut: [8, 6, 4],
  timeoutSeconds: 400,
};

const rates = [1 / 600, 1 / 250, 1 / 100, 1 / 40] as const;
const focuses = [
  "settle",
  "moveBranch",
  "keepWork",
  "launch",
  "admit",
  "workspace-created",
  "Place",
  "release",
  "advance",
  "delegation-verified",
  "delegation-merged",
  "delegation-parked",
  "delegation-resumed",
  "begin ",
  "rejoin",
  "attempt-",
  "check-",
  "approval",
  "reap",
  "nothing at all",
] as const;

/** What a seed stands for. The plan draws from its own chance, so that a wish does not change the rest. */
export function planCase(seed: number, wish: CaseWish = {}): CasePlan {
  const random = createRandom((seed ^ 0x5bd1e995) >>> 0);
  const crashes = 4 + random.below(36);
  const trouble = random.chance(0.25) ? 1 / (60 + random.below(300)) : 0;
  const [rate, focus] = [random.pick(rates), random.pick(focuses)];
  const crashPlan = { crashes: wish.crashes ?? crashes, rate, focus: wish.focus ?? focus, trouble };
  const planned = planSettings(random);
  const isCrowded = wish.isCrowded === true;
  const settings = isCrowded ? { ...planned, limits: { ...planned.limits, ...crowd } } : planned;
  const stories = Array.from({ length: 1 + random.below(3) }, (_, index) => planStory(index + 1, random));
  const own = new Map(stories.map(({ id }) => [id, storyLimits(settings.limits, random)]));
  return {
    seed,
    crashPlan,
    settings,
    settingsOf: (story) => ({ ...settings, limits: own.get(story ?? "") ?? settings.limits }),
    stories,
    isAdversarial: wish.isAdversarial ?? false,
    isPlain: wish.isPlain ?? false,
    planted: wish.planted ?? "nothing",
    checkMs: isCrowded ? CROWDED_CHECK_MS : 0,
  };
}

function planSettings(random: Random): RunSettings {
  return {
    limits: planLimits(random),
    origins: [],
    depthPolicy: { mode: "off", isGiven: false },
    isolation: "worktree",
    network: null,
    checks: { timeoutMs: 600_000, retries: 0, exclusive: false, base: false },
    setup: null,
    ownPath: true,
    services: null,
    include: [],
    env: { pass: [], set: {} },
    commands: [],
    defaultAgent: null,
    testCommand: random.chance(0.5) ? TEST_COMMAND : null,
    reviewer: null,
    artifactTypes: [],
    retry: { enabled: random.chance(0.6), maxAttempts: 3, backoffMultiplier: 2 },
    reassignSilent: 0,
    reassignLate: 0,
    fallbackAgent: null,
    keepWorkspaces: false,
    metering: "none",
    addresses: [],
    unmetered: "refuse",
    agentVariables: [],
    mcpServers: {},
  };
}

function planLimits(random: Random): Limits {
  return {
    ...defaultLimits,
    maxDepth: random.chance(0.15) ? 1 : 2 + random.below(2),
    maxDelegations: 4 + random.below(14),
    fanOut: [2 + random.below(6), 1 + random.below(4), 1 + random.below(3)],
    maxConcurrent: 1 + random.below(4),
    timeoutSeconds: 15 + random.below(40),
    idleWarnSeconds: 8,
    idleStopSeconds: 12,
    graceSeconds: random.below(4),
    storyMicroUsd: random.chance(0.4) ? 40_000 + random.below(200_000) : null,
    delegationMicroUsd: random.chance(0.3) ? 5000 + random.below(50_000) : null,
    alertMicroUsd: 50_000,
    autoApproveMicroUsd: random.chance(0.5) ? 30_000 : 5_000_000,
  };
}

/** A story may have less room than the project gives. */
function storyLimits(limits: Limits, random: Random): Limits {
  if (random.chance(0.5)) return limits;
  return { ...limits, maxConcurrent: 1 + random.below(limits.maxConcurrent), maxDepth: 1 + random.below(3) };
}

function planStory(number: number, random: Random): { readonly id: string } {
  const goal = 1000 + number;
  const check = { command: goalCommand(goal) };
  const fields = {
    id: `S${number}`,
    title: `Make goal ${goal}`,
    criteria: random.chance(0.8) ? [{ text: `goal ${goal} is made`, check }] : [],
    ...(random.chance(0.5)
      ? { agent: "ada" }
      : { adapter: random.pick(["scripted", "command"]), command: ["sim"] }),
    ...(random.chance(0.3) ? { budgetMicroUsd: 10_000 + random.below(100_000) } : {}),
    ...(random.chance(0.3) ? { budgetTokens: 500 + random.below(5000) } : {}),
    ...(random.chance(0.15) ? { fileScope: ["goals/**", "style/**", "shared"] } : {}),
  };
  return fields;
}

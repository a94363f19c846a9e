import * as z from "zod";
import type { TrialSettings } from "./remedies.ts";
import type { Trial } from "./run-trial.ts";
import type { TestRun } from "./test-run.ts";

const settingsSchema = () =>
  z.looseObject({
    include: z.array(z.string()),
    setup: z.string().nullable(),
    pass: z.array(z.string()),
  });

const runSchema = () =>
  z.looseObject({
    verdict: z.enum(["passed", "failed", "unverified"]),
    exit_code: z.int().nullable(),
    tests: z
      .looseObject({ passed: z.int(), failed: z.int(), skipped: z.int() })
      .nullable()
      .describe("Null where the output does not tell"),
    failing: z.array(z.string()),
    duration_ms: z.number(),
    evidence: z.string(),
  });

export const trialSchema = () =>
  z.looseObject({
    status: z
      .enum(["equal", "mended", "different", "unknown", "not-run"])
      .describe("mended: equal with the settings below, which are in the new ambit.yaml"),
    reason: z.string().nullable().describe("Why it was not run"),
    home: runSchema().nullable().describe("In the user's own checkout"),
    workspace: runSchema().nullable().describe("In a fresh workspace"),
    tried: z.array(z.looseObject({ settings: settingsSchema(), run: runSchema(), equal: z.boolean() })),
    settings: settingsSchema(),
  });

export type TrialAnswer = z.output<ReturnType<typeof trialSchema>>;

export function describeTrial(trial: Trial): TrialAnswer {
  return {
    status: trial.status,
    reason: null,
    home: describeRun(trial.home),
    workspace: describeRun(trial.workspace),
    tried: trial.tried.map(({ settings, run, isEqual }) => ({
      settings: describeSettings(settings),
      run: describeRun(run),
      equal: isEqual,
    })),
    settings: describeSettings(trial.settings),
  };
}

export function describeMissingTrial(reason: string): TrialAnswer {
  const settings = { include: [], setup: null, pass: [] };
  return { status: "not-run", reason, home: null, workspace: null, tried: [], settings };
}

function describeSettings({ include, setup, pass }: TrialSettings): TrialAnswer["settings"] {
  return { include: [...include], setup, pass: [...pass] };
}

function describeRun(run: TestRun): NonNullable<TrialAnswer["home"]> {
  const { verdict, exitCode, counts, failing, durationMs, evidence } = run;
  return {
    verdict,
    exit_code: exitCode,
    tests: counts === undefined ? null : { ...counts },
    failing: [...failing],
    duration_ms: durationMs,
    evidence,
  };
}

import type { Environment } from "../terminal/terminal.ts";

export const reporterNames = ["tree", "plain", "agent", "github", "json"] as const;
export type ReporterName = (typeof reporterNames)[number];

export interface ReporterFacts {
  /** The value of `--reporter`; `auto` by default. */
  readonly requested: string;
  readonly json: boolean;
  readonly isAgent: boolean;
  readonly isCi: boolean;
  /** Of stderr, where progress goes. */
  readonly isTty: boolean;
  readonly environment: Environment;
}

/** Text stays text when it is piped: only `--json` or `--reporter json` turn it into JSON. */
export function chooseReporter(facts: ReporterFacts): ReporterName {
  const named = reporterNames.find((name) => name === facts.requested);
  if (named !== undefined) return named;
  if (facts.json) return "json";
  if (facts.isAgent) return "agent";
  if (facts.environment["GITHUB_ACTIONS"] === "true") return "github";
  const canRedraw = facts.isTty && !facts.isCi && facts.environment["TERM"] !== "dumb";
  return canRedraw ? "tree" : "plain";
}

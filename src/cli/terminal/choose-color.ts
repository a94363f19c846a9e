import type { Environment } from "./terminal.ts";

export interface ColorFacts {
  /** False with `--no-color`. */
  readonly allowed: boolean;
  /** Of the stream that is written to. */
  readonly isTty: boolean;
  readonly environment: Environment;
}

/** A wish for no colour beats a wish for colour, and both beat what the terminal can do. */
export function chooseColor({ allowed, isTty, environment }: ColorFacts): boolean {
  if (!allowed || isSet(environment["NO_COLOR"])) return false;
  const forced = environment["FORCE_COLOR"];
  if (isSet(forced)) return forced !== "0" && forced !== "false";
  return isTty && environment["TERM"] !== "dumb";
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

import { configKeys, type ConfigKey } from "../../../contract/config-keys.ts";
import { errorCodes } from "../../../contract/error-code.ts";
import { exitCode } from "../../../contract/exit-code.ts";
import { renderColumns } from "../../render/columns.ts";
import { wrapWords } from "../../render/wrap-words.ts";

/** Settings that bound a delegation: the numbers of `delegation`, without those that only tune retries. */
export function renderLimits(): string {
  const limits = configKeys.filter(
    ({ key, type }) => key.startsWith(PREFIX) && !key.startsWith(RETRY) && NUMERIC.has(type),
  );
  const heading = ["setting", "default", "hard cap", "meaning"];
  const refusals = Object.entries(errorCodes).filter(([, status]) => status === exitCode.limit);
  return [
    "Limits, set below delegation: in ambit.yaml",
    "",
    renderColumns([heading, ...limits.map(renderLimit)]),
    "",
    `Codes of a limit, exit ${exitCode.limit}:`,
    ...wrapWords(
      refusals.map(([code]) => code),
      { first: "  ", indent: "  " },
    ),
  ].join("\n");
}

const PREFIX = "delegation.";
const RETRY = "delegation.retry.";
const NUMERIC: ReadonlySet<string> = new Set(["integer", "number"]);

/** Caps of this size only keep arithmetic exact; nobody is bounded by them. */
const NO_REAL_CAP = 1_000_000_000;

function renderLimit({ key, default: value, hardCap, description }: ConfigKey): string[] {
  const cap = hardCap === undefined || hardCap >= NO_REAL_CAP ? "-" : String(hardCap);
  return [key.slice(PREFIX.length), value === null ? "none" : JSON.stringify(value), cap, description];
}

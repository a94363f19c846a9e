import { symptoms } from "../../app/symptoms.ts";
import {
  artifactTypes,
  returnStatuses,
  successAliases,
  summaryMaxLength,
} from "../../contract/agent-return.ts";
import { configKeys, findConfigKey, type ConfigKey } from "../../contract/config-keys.ts";
import { debugName, environmentNames } from "../../contract/environment-names.ts";
import { errorCodes } from "../../contract/error-code.ts";
import { exitCode, exitCodeMeanings } from "../../contract/exit-code.ts";
import { returnCaps } from "../../contract/read-return.ts";
import { returnInstruction } from "../../contract/return-instruction.ts";
import { renderColumns } from "../render/columns.ts";
import { wrapWords } from "../render/wrap-words.ts";

/** The texts behind `ambit help <topic>`. */
export const helpTopics = {
  "exit-codes": renderExitCodes,
  limits: renderLimits,
  contract: renderContract,
  env: renderEnvironment,
  troubleshooting: renderTroubleshooting,
} as const;

function renderExitCodes(): string {
  const meanings = new Map(Object.entries(exitCodeMeanings));
  const rows = Object.entries(exitCode).map(([name, code]) => [String(code), name, meanings.get(name) ?? ""]);
  const codes = Object.values(exitCode).flatMap((status) => renderCodes(status));
  return [
    "Exit codes",
    "",
    renderColumns(rows),
    "",
    "Error codes by exit status",
    "",
    ...codes,
    "",
    PARTIAL,
  ].join("\n");
}

const PARTIAL = `A story that ends with a code of exit 1 and keeps a part of the work is partial: exit ${exitCode.partial}.`;

function renderCodes(status: number): string[] {
  const codes = Object.entries(errorCodes).filter(([, code]) => code === status);
  if (codes.length === 0) return [];
  const names = codes.map(([name]) => name);
  return wrapWords(names, { first: String(status).padEnd(5), indent: "     " });
}

/** Settings that bound a delegation: the numbers of `delegation`, without those that only tune retries. */
function renderLimits(): string {
  const limits = configKeys.filter(
    ({ key, type }) => key.startsWith(PREFIX) && !key.startsWith(RETRY) && NUMERIC.has(type),
  );
  const refusals = Object.entries(errorCodes).filter(([, status]) => status === exitCode.limit);
  return [
    "Limits, set below delegation: in ambit.yaml. No setting exceeds its hard cap.",
    "",
    ...renderLimitRows(limits),
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

/** Caps of this size only keep arithmetic exact; they bound no delegation. */
const NO_REAL_CAP = 1_000_000_000;

/** The meanings are the last column, each on as many lines as it needs. */
function renderLimitRows(limits: readonly ConfigKey[]): string[] {
  const heading = ["setting", "default", "hard cap"];
  const lines = renderColumns([heading, ...limits.map(renderLimit)]).split("\n");
  const width = Math.max(...lines.map((line) => line.length)) + GAP;
  const meanings = ["meaning", ...limits.map(({ description }) => description)];
  return lines.flatMap((line, row) =>
    wrapWords((meanings[row] ?? "").split(" "), { first: line.padEnd(width), indent: " ".repeat(width) }),
  );
}

const GAP = 2;

function renderLimit({ key, default: value, hardCap }: ConfigKey): string[] {
  const cap = hardCap === undefined || hardCap >= NO_REAL_CAP ? "-" : String(hardCap);
  return [key.slice(PREFIX.length), value === null ? "none" : JSON.stringify(value), cap];
}

/** The return that a worker must give, as its prompt says it, and the limits of the validator. */
function renderContract(): string {
  const rules = [
    ["status", returnStatuses.join(", ")],
    ["read as completed", successAliases.join(", ")],
    ["summary", `1 to ${summaryMaxLength} characters`],
    ["artifact types", artifactTypes.join(", ")],
    ["size", `${returnCaps.bytes} bytes, ${returnCaps.depth} levels`],
    ["at most", `${returnCaps.artifacts} artifacts, ${returnCaps.errors} errors`],
  ];
  return [returnInstruction(), "", renderColumns(rules), "", "Judge one: ambit check return <file>"].join(
    "\n",
  );
}

/** Variables that change a setting, then those that change only how the command line behaves. */
function renderEnvironment(): string {
  return [
    "Variables that set a limit or a setting. Flags are stronger, files weaker.",
    "",
    ...environmentNames.flatMap(({ name, keys }) => {
      const variable = `${name.padEnd(VARIABLE_WIDTH)}  ${keys.join(", ")}`;
      return [variable].concat(wrapWords(readMeaning(keys).split(" "), { first: "  ", indent: "  " }));
    }),
    "",
    "Variables of the command line",
    "",
    ...ownNames.flatMap(([name, meaning]) =>
      wrapWords(meaning.split(" "), {
        first: `${name.padEnd(VARIABLE_WIDTH)}  `,
        indent: " ".repeat(VARIABLE_WIDTH + GAP),
      }),
    ),
  ].join("\n");
}

function readMeaning(keys: readonly string[]): string {
  const [first = ""] = keys;
  return findConfigKey(first)?.description ?? "";
}

const VARIABLE_WIDTH = 28;

const ownNames = [
  [debugName.name, "1 shows diagnostics and the stacks of unexpected errors"],
  ["AMBIT_DEBUG", "1 writes delegated tasks in full to the supervisor's log"],
  ["AMBIT_TRUST", "1 allows one command what the project names, where Ambit cannot ask"],
  ["AMBIT_MCP_TOKEN", "the token that clients of ambit mcp --http must send"],
  ["AMBIT_CLUSTER_URL", "the address of a cluster's PostgreSQL"],
  ["AMBIT_CLUSTER_URL_FILE", "a file with that address"],
  ["AMBIT_CLUSTER_REDIS_URL", "the address of Redis, with cluster.dispatch redis"],
  ["XDG_CONFIG_HOME", "where your settings and trust decisions are, instead of ~/.config"],
  ["XDG_STATE_HOME", "where homes of agents are, instead of ~/.local/state"],
  ["LC_ALL", "a locale without UTF-8 turns glyphs off, as LC_CTYPE and LANG do"],
  ["NO_COLOR", "any value turns colours off"],
  ["FORCE_COLOR", "any value but 0 and false turns colours on without a terminal"],
  ["TERM", "dumb turns colours and redrawing off"],
  ["GITHUB_ACTIONS", "true selects the reporter github"],
  ["GITHUB_STEP_SUMMARY", "file the reporter github adds its page to"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "where traces and metrics are sent; other OTEL_ variables work, too"],
] as const;

/** Every symptom by name, so that one of them can be looked for. */
function renderTroubleshooting(): string {
  return [
    "Symptoms by name; ambit doctor looks for each in your project:",
    "",
    ...symptoms.flatMap(({ name, title, signs }) =>
      wrapWords(`${title}. ${signs}`.split(" "), {
        first: `  ${name.padEnd(NAME_WIDTH)} `,
        indent: " ".repeat(NAME_WIDTH + 3),
      }),
    ),
    "",
    "Look for one:          ambit doctor --symptom hang",
    "Is the machine ready:  ambit doctor",
    "Why is it there:       ambit explain <id>",
  ].join("\n");
}

const NAME_WIDTH = 11;

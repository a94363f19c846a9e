import { relative } from "node:path";
import type { Command } from "commander";
import { nothingYet } from "../render/nothing-yet.ts";
import type { describeEvents } from "../../app/audit.ts";
import type { AuditExport } from "../../app/audit-export.ts";
import { safeText } from "../../base/safe-text.ts";
import { exitCode } from "../../contract/exit-code.ts";
import { usageError } from "../../errors/usage.ts";
import type { Act, CommandContext, CommandOutcome, Invocation } from "../input/command-module.ts";
import { optionalWholeNumber } from "../input/option-values.ts";
import { renderColumns } from "../render/columns.ts";
import { renderVerdict } from "../render/verdict.ts";
import { verdictOutcome } from "../outcome/verdict-outcome.ts";

const kinds = ["jsonl", "graph", "depth", "otlp", "all"] as const;

export function register(command: Command, act: Act): void {
  const exports = command.createOption("--export <kind>", "write files that other tools read");
  command
    .description("List, verify, rebuild or export the journal. --verify exits 1 if it was changed.")
    .argument("[story]", "an id or its beginning; tasks for changes of tasks; by default all events")
    .option("--limit <n>", "list this many of the newest events (default: 50)")
    .option("--verify", "recompute the hash of every event and every projection")
    .option("--full", "with --verify: trust no checkpoint and replay every event")
    .option("--rebuild", "rebuild the projections from the journal")
    .addOption(exports.choices(kinds))
    .option("--out <dir>", "folder for exports (default: below .git/ambit)")
    .option("--send", "with --export otlp: send them to OTEL_EXPORTER_OTLP_ENDPOINT")
    .action(act(runAudit))
    .addHelpText("after", "\nExample:\n  ambit audit --export all --out audit");
}

/** One thing at a time: list, verify, rebuild or export. */
async function runAudit(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const wishes = ["verify", "rebuild"].filter((name) => invocation.flag(name));
  const kind = kinds.find((name) => name === invocation.option("export"));
  if (kind !== undefined) wishes.push("export");
  if (wishes.length > 1) {
    const flags = wishes.map((name) => `--${name}`).join(" and ");
    throw usageError(`${flags} are two different things`, "Run them one after the other.");
  }
  const isWhole = wishes[0] === "verify" || wishes[0] === "rebuild";
  if (isWhole && invocation.argument("story") !== "")
    throw usageError(`--${wishes[0]} is about the whole journal`, "Omit the story.");
  if (wishes.length > 0 && invocation.option("limit") !== undefined)
    throw usageError("--limit is about a list of events, but nothing is listed", "Omit --limit.");
  if (invocation.option("out") !== undefined && kind === undefined)
    throw usageError("--out names where exports go, but nothing is exported", "Add --export all.");
  if (invocation.flag("send") && kind !== "otlp")
    throw usageError("--send sends traces, but they are not exported", "Add --export otlp.");
  if (invocation.flag("full") && wishes[0] !== "verify")
    throw usageError("--full is a way to verify, but nothing is verified", "Add --verify.");
  if (wishes[0] === "verify") return verifyJournal(context, invocation.flag("full"));
  if (wishes[0] === "rebuild") return rebuildStore(context);
  return kind === undefined ? listEvents(context, invocation) : exportJournal(context, invocation, kind);
}

async function verifyJournal(context: CommandContext, full: boolean): Promise<CommandOutcome> {
  const { auditVerifyUseCase } = await import("../../app/audit-verify.ts");
  return verdictOutcome(await auditVerifyUseCase.run(context, { full }), context);
}

async function rebuildStore(context: CommandContext): Promise<CommandOutcome> {
  const { auditRebuildUseCase } = await import("../../app/audit-rebuild.ts");
  const json = await auditRebuildUseCase.run(context, {});
  const message = `every projection was rebuilt from ${json.events} events`;
  const text = json.rebuilt ? renderVerdict({ ok: true, message }, context) : nothingYet;
  return { exitCode: exitCode.completed, json, text };
}

async function exportJournal(
  context: CommandContext,
  invocation: Invocation,
  kind: (typeof kinds)[number],
): Promise<CommandOutcome> {
  const { auditExportUseCase } = await import("../../app/audit-export.ts");
  const json = await auditExportUseCase.run(context, {
    story: invocation.argument("story"),
    kind,
    folder: invocation.option("out"),
    send: invocation.flag("send"),
  });
  return { exitCode: exitCode.completed, json, text: renderExport(context, json) };
}

const nouns = { jsonl: "lines", graph: "nodes", depth: "agents", otlp: "spans" } as const;

function renderExport(context: CommandContext, { exported, sent }: AuditExport): string {
  const messages = exported.map(({ kind, path, entries }) => {
    const shown = relative(context.directory, path);
    return `${shown.startsWith("..") ? path : shown}: ${entries} ${nouns[kind]}`;
  });
  if (sent !== undefined) messages.push(`${sent.entries} spans sent to ${new URL(sent.url).origin}`);
  if (messages.length === 0) return nothingYet;
  return messages.map((message) => renderVerdict({ ok: true, message }, context)).join("\n");
}

async function listEvents(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const {
    auditUseCase,
    DEFAULT_EVENTS,
    describeEvents: describe,
    MAX_LISTED_EVENTS,
  } = await import("../../app/audit.ts");
  const limit = optionalWholeNumber(invocation, "limit") ?? DEFAULT_EVENTS;
  if (limit < 1 || limit > MAX_LISTED_EVENTS)
    throw usageError(
      `--limit must be between 1 and ${MAX_LISTED_EVENTS}; got ${limit}`,
      "Write the whole journal with --export jsonl.",
    );
  const json = await auditUseCase.run(context, { story: invocation.argument("story"), limit });
  const lines = describe(json.events);
  return { exitCode: exitCode.completed, json, text: renderEvents(lines, limit) };
}

const SHOWN_HASH = 8;

function renderEvents(lines: ReturnType<typeof describeEvents>, limit: number): string {
  if (lines.length === 0) return nothingYet;
  const rows = lines.map(({ seq, at, hash, type, about, detail }) =>
    [String(seq), at, hash.slice(0, SHOWN_HASH), type, about, detail].map(safeText),
  );
  const mayBeMore = lines.length === limit && (lines[0]?.seq ?? 1) > 1;
  const note = mayBeMore ? `\n\nThe newest ${limit}; --limit shows more.` : "";
  return renderColumns(rows) + note;
}

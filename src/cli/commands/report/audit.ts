import { exitCode } from "../../../contract/exit-code.ts";
import { tasksStory } from "../../../contract/tasks-story.ts";
import { auditDocument, buildAuditList, type AuditEntry } from "../../../reports/audit.ts";
import { safeText } from "../../../base/safe-text.ts";
import type { CommandContext, CommandOutcome, Invocation } from "../../command-module.ts";
import { optionalWholeNumber, usage } from "../../option-values.ts";
import { renderColumns } from "../../render/columns.ts";
import { findTarget, type Target } from "../../../app/find-target.ts";
import { nothingYet, readStore } from "../../../app/open-project.ts";

/** One thing at a time: list, verify, rebuild or export. */
export async function runAudit(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const wishes = ["verify", "rebuild"].filter((name) => invocation.flag(name));
  const exported = invocation.option("export");
  if (exported !== undefined) wishes.push("export");
  if (wishes.length > 1) {
    const flags = wishes.map((name) => `--${name}`).join(" and ");
    throw usage(`${flags} are two different things`, "Run them one after the other.");
  }
  if (invocation.option("out") !== undefined && exported === undefined) {
    throw usage("--out names where exports go, but nothing is exported", "Add --export all.");
  }
  if (invocation.flag("send") && exported !== "otlp") {
    throw usage("--send sends traces, but they are not exported", "Add --export otlp.");
  }
  if (wishes[0] === "verify") return (await import("./audit-verify.ts")).verifyAudit(context);
  if (wishes[0] === "rebuild") return (await import("./audit-verify.ts")).rebuildAudit(context);
  if (exported !== undefined) return (await import("./audit-export.ts")).exportAudit(context, invocation);
  return listAudit(context, invocation);
}

const DEFAULT_LIMIT = 50;
const MOST_LISTED = 100_000;

function listAudit(context: CommandContext, invocation: Invocation): Promise<CommandOutcome> {
  const limit = optionalWholeNumber(invocation, "limit") ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MOST_LISTED) {
    throw usage(
      `--limit must be between 1 and ${MOST_LISTED}; got ${limit}`,
      "Write the whole journal with --export jsonl.",
    );
  }
  return readStore(context, async (reader) => {
    const word = invocation.argument("story");
    const isTasks = word === tasksStory;
    const target = word === "" || isTasks ? undefined : await findTarget(reader, word);
    if (reader === undefined) return emptyList;
    const filter = isTasks ? { story: tasksStory } : filterOf(target);
    const entries = buildAuditList(await reader.newestEvents(limit, filter));
    const head = await reader.head();
    return {
      exitCode: exitCode.completed,
      json: { events: entries.map(auditDocument), head: { seq: head.seq, hash: head.hash } },
      text: entries.length === 0 ? nothingYet : renderEntries(entries, limit),
    };
  });
}

function filterOf(target: Target | undefined): { story?: string; delegation?: string } {
  if (target === undefined) return {};
  return target.id === target.story.id ? { story: target.id } : { delegation: target.id };
}

const emptyList: CommandOutcome = {
  exitCode: exitCode.completed,
  json: { events: [], head: { seq: 0, hash: "0".repeat(64) } },
  text: nothingYet,
};

const SHOWN_HASH = 8;

function renderEntries(entries: readonly AuditEntry[], limit: number): string {
  const rows = entries.map((entry) =>
    [String(entry.seq), entry.at, entry.hash.slice(0, SHOWN_HASH), entry.type, entry.about, entry.detail].map(
      safeText,
    ),
  );
  const mayBeMore = entries.length === limit && (entries[0]?.seq ?? 1) > 1;
  const note = mayBeMore ? `\n\nThe newest ${limit}; --limit shows more.` : "";
  return renderColumns(rows) + note;
}

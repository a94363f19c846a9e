import { cutDetails } from "../../base/cut-details.ts";
import { safeText } from "../../base/safe-text.ts";
import type { StatusAnswer, StatusEntry } from "../../app/status.ts";
import { nameOutcome } from "../../contract/outcome.ts";
import { renderUsd } from "./amounts.ts";
import { renderDuration, renderMinutes } from "../../base/duration-text.ts";
import { adviseResume } from "./advise-resume.ts";
import type { Paint } from "../terminal/paint.ts";
import { cutText, padText, textWidth } from "../terminal/text-width.ts";

export interface StatusStyle {
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
  readonly nowMs: number;
  /** Show every line of every group. */
  readonly all: boolean;
}

/** Those that wait for a person come first. */
const groups = [
  ["needs_you", "Needs you"],
  ["working", "Working"],
  ["queued", "Queued"],
  ["done", "Done"],
] as const;

type Group = (typeof groups)[number];

export type ShownStatus = Pick<
  StatusAnswer,
  Group[0] | "ended" | "estimated" | "status" | "story" | "title"
> & {
  readonly total_cost_usd?: number | null | undefined;
  readonly total_delegations?: number | undefined;
  readonly checking?: StatusAnswer["checking"] | undefined;
  readonly interrupted?: boolean | undefined;
};

/** A headline, then the groups that have members. */
export function renderStatusReport(report: ShownStatus, style: StatusStyle): string {
  const dot = style.ascii ? " - " : " · ";
  const isInterrupted = report.interrupted === true;
  const headline = [
    `${safeText(report.story ?? "")}: ${safeText(report.title ?? "")}`,
    isInterrupted ? "interrupted" : nameStoryStatus(report),
    report.total_delegations === 0 ? "" : `${report.ended ?? 0} of ${report.total_delegations ?? 0} done`,
    renderUsd(report.total_cost_usd ?? null, report.estimated),
  ]
    .filter((part) => part !== "" && part !== undefined)
    .join(dot);
  const checking = (report.checking ?? []).map((check) => cutLine(renderCheck(check, style), style));
  const advice = `  ${adviseResume(report.story ?? "")}`;
  const notes = isInterrupted ? [cutLine(advice, style)] : checking;
  const shown = groups.flatMap((group) => renderGroup(group, report[group[0]], { ...style, isInterrupted }));
  return [cutLine(headline, style), ...notes, ...shown].join("\n");
}

/** A story that asks is not simply running. */
function nameStoryStatus({ status, needs_you: needsYou }: ShownStatus): string | undefined {
  return status === "running" && needsYou.some(({ question }) => question !== undefined)
    ? "needs you"
    : nameOutcome(status ?? "");
}

interface GroupStyle extends StatusStyle {
  /** Whether what was running has no process that drives it. */
  readonly isInterrupted: boolean;
}

function renderCheck(
  { id, check, since, last }: StatusAnswer["checking"][number],
  { nowMs }: StatusStyle,
): string {
  const newest = last === "" ? "" : `, last: ${safeText(last)}`;
  const time = renderDuration(nowMs - Date.parse(since));
  return `  checking ${safeText(id)}: \`${safeText(check)}\`, ${time}${newest}`;
}

const MAX_SHOWN = 20;
const MAX_SHOWN_DONE = 10;

function renderGroup([group, title]: Group, members: readonly StatusEntry[], style: GroupStyle): string[] {
  if (members.length === 0) return [];
  // Of what is done the newest matter; of everything else, what waits longest.
  const few = group === "done" ? members.slice(-MAX_SHOWN_DONE) : members.slice(0, MAX_SHOWN);
  const shown = style.all ? members : few;
  const hidden = members.length - shown.length;
  const idWidth = Math.max(...shown.map(({ id }) => textWidth(id)));
  const name = group === "working" && style.isInterrupted ? "Interrupted" : title;
  const heading = style.paint.bold(`${name} (${members.length})`);
  const lines = shown.flatMap((member) =>
    [renderMember(member, idWidth, style)].concat(renderQuestion(member, style)),
  );
  const rest = hidden === 0 ? [] : [`  and ${hidden} more: --all shows them`];
  return ["", heading, ...lines, ...rest];
}

/** Shows the question, and the commands that answer it, ready to be typed. */
function renderQuestion(
  { question, answer_with: commands = [], expires_at: expiresAt, blocks = [] }: StatusEntry,
  style: StatusStyle,
): string[] {
  if (question === undefined) return [];
  const leftMs = Date.parse(expiresAt ?? "") - style.nowMs;
  const expiry = leftMs > 0 ? ` (expires in ${renderDuration(leftMs)})` : "";
  const asked = question.split("\n").map((line) => cutLine(`      "${safeText(line)}"${expiry}`, style));
  const waiting = blocks.length === 0 ? [] : [cutLine(`      ${renderBlocks(blocks)}`, style)];
  return [...asked, ...waiting, ...commands.map((command) => `      ${safeText(command)}`)];
}

const MAX_NAMED = 3;

/** Names the delegations that wait for an answer. */
export function renderBlocks(ids: readonly string[]): string {
  const named = safeText(ids.slice(0, MAX_NAMED).join(", "));
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : "";
  return `${named}${more} ${ids.length === 1 ? "waits" : "wait"} for it`;
}

function renderMember(entry: StatusEntry, idWidth: number, style: GroupStyle): string {
  const { cost_usd: cost } = entry;
  const isAsking = entry.question !== undefined;
  const status = isAsking ? "blocked" : entry.status;
  const isStanding = style.isInterrupted && status === "running";
  const glyph = glyphs[isStanding ? "pending" : status][style.ascii ? "ascii" : "mark"];
  const silence = isStanding ? "" : renderSilence(entry);
  const facts = [
    silence || nameStatus(entry, { isAsking, isStanding }),
    safeText(entry.code ?? ""),
    entry.machine === undefined ? "" : `on ${safeText(entry.machine)}`,
    isStanding || silence !== "" ? "" : renderTime(entry, style.nowMs),
    cost === null ? "" : renderUsd(cost, entry.estimated),
  ];
  const line = [
    `  ${glyph} ${padText(safeText(entry.id), idWidth, "left")}`,
    facts.filter(Boolean).join(" "),
    safeText(entry.description) + renderReason(entry) + renderLatest(entry),
  ].join("  ");
  // Colours have no width, so they come after the cut.
  return cutLine(line, style).replace(silence, style.paint.yellow(silence));
}

function renderSilence({ silent_seconds: seconds }: StatusEntry): string {
  return seconds === undefined ? "" : `silent ${renderMinutes(seconds * 1000)}`;
}

function nameStatus(
  { status }: StatusEntry,
  { isAsking, isStanding }: { readonly isAsking: boolean; readonly isStanding: boolean },
): string {
  if (isAsking) return "asks";
  return isStanding ? "interrupted" : nameOutcome(status);
}

/** Never a colour alone and never a mark alone: the word is next to it. */
const glyphs: Readonly<Record<StatusEntry["status"], { readonly mark: string; readonly ascii: string }>> = {
  pending: { mark: "◌", ascii: "." },
  running: { mark: "●", ascii: "*" },
  completed: { mark: "✔", ascii: "+" },
  partial: { mark: "◐", ascii: "-" },
  failed: { mark: "✖", ascii: "x" },
  blocked: { mark: "?", ascii: "?" },
  cancelled: { mark: "⊘", ascii: "o" },
  timed_out: { mark: "✖", ascii: "x" },
};

function renderReason({
  status,
  summary,
  waits_for_provider: provider,
  not_before: until,
  waits_for_machine: machine,
}: StatusEntry): string {
  if (machine !== undefined) return `: ${safeText(machine)}`;
  if (provider !== null) return `: waits for provider ${safeText(provider)} until ${until ?? ""}`;
  const needsReason = status !== "completed" && status !== "running" && status !== "pending";
  return needsReason && summary !== "" ? `: ${safeText(cutDetails(summary))}` : "";
}

function renderLatest({ latest }: StatusEntry): string {
  return latest === undefined ? "" : `: ${safeText(latest)}`;
}

function renderTime({ started_at: startedAt, duration_ms: durationMs }: StatusEntry, nowMs: number): string {
  if (durationMs !== null) return renderDuration(durationMs);
  return startedAt === null ? "" : renderDuration(nowMs - Date.parse(startedAt));
}

function cutLine(line: string, { width, ascii }: StatusStyle): string {
  return width === undefined ? line : cutText(line, width, ascii);
}

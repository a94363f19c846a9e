import { safeText } from "../../base/safe-text.ts";
import type { StatusAnswer, StatusEntry } from "../../app/status.ts";
import { renderUsd } from "./amounts.ts";
import { renderDuration } from "../../base/duration-text.ts";
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
};

/** A headline, then the groups that have members. */
export function renderStatusReport(report: ShownStatus, style: StatusStyle): string {
  const dot = style.ascii ? " - " : " · ";
  const headline = [
    `${safeText(report.story ?? "")}: ${safeText(report.title ?? "")}`,
    report.status,
    `${report.ended ?? 0} of ${report.total_delegations ?? 0} done`,
    renderUsd(report.total_cost_usd ?? null, report.estimated),
  ].join(dot);
  const checking = (report.checking ?? []).map((check) => cutLine(renderCheck(check, style), style));
  const shown = groups.flatMap((group) => renderGroup(group, report[group[0]], style));
  return [cutLine(headline, style), ...checking, ...shown].join("\n");
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

function renderGroup([group, title]: Group, members: readonly StatusEntry[], style: StatusStyle): string[] {
  if (members.length === 0) return [];
  // Of what is done the newest matter; of everything else, what waits longest.
  const few = group === "done" ? members.slice(-MAX_SHOWN_DONE) : members.slice(0, MAX_SHOWN);
  const shown = style.all ? members : few;
  const hidden = members.length - shown.length;
  const idWidth = Math.max(...shown.map(({ id }) => textWidth(id)));
  const heading = style.paint.bold(`${title} (${members.length})`);
  const lines = shown.map((member) => renderMember(member, idWidth, style));
  const rest = hidden === 0 ? [] : [`  and ${hidden} more: --all shows them`];
  return ["", heading, ...lines, ...rest];
}

function renderMember(entry: StatusEntry, idWidth: number, style: StatusStyle): string {
  const { status, cost_usd: cost } = entry;
  const glyph = glyphs[status][style.ascii ? "ascii" : "mark"];
  const facts = [
    status,
    safeText(entry.code ?? ""),
    renderTime(entry, style.nowMs),
    cost === null ? "" : renderUsd(cost, entry.estimated),
  ];
  const line = [
    `  ${glyph} ${padText(safeText(entry.id), idWidth, "left")}`,
    facts.filter(Boolean).join(" "),
    safeText(entry.description) + renderReason(entry),
  ].join("  ");
  return cutLine(line, style);
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
}: StatusEntry): string {
  if (provider !== null) return `: waits for provider ${safeText(provider)} until ${until ?? ""}`;
  const needsReason = status !== "completed" && status !== "running" && status !== "pending";
  return needsReason && summary !== "" ? `: ${safeText(summary)}` : "";
}

function renderTime({ started_at: startedAt, duration_ms: durationMs }: StatusEntry, nowMs: number): string {
  if (durationMs !== null) return renderDuration(durationMs);
  return startedAt === null ? "" : renderDuration(nowMs - Date.parse(startedAt));
}

function cutLine(line: string, { width, ascii }: StatusStyle): string {
  return width === undefined ? line : cutText(line, width, ascii);
}

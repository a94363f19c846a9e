import { safeText } from "../../base/safe-text.ts";
import { delegationStatus, type DelegationStatus } from "../../journal/delegation-status.ts";
import type { Delegation } from "../../journal/store.ts";
import { formatUsd } from "../../ledger/money.ts";
import { heldBy, statusGroups, type StatusGroup, type StatusReport } from "../../reports/status.ts";
import { renderDuration } from "./duration.ts";
import type { Paint } from "./paint.ts";
import { cutText, padText, textWidth } from "./text-width.ts";

export interface StatusStyle {
  readonly ascii: boolean;
  readonly width: number | undefined;
  readonly paint: Paint;
  readonly nowMs: number;
  /** Show every line of every group. */
  readonly all: boolean;
}

const titles: Readonly<Record<StatusGroup, string>> = {
  needsYou: "Needs you",
  working: "Working",
  queued: "Queued",
  done: "Done",
};

/** A headline, then the groups that have members, those that wait for a person first. */
export function renderStatusReport(report: StatusReport, style: StatusStyle): string {
  const cost = `${report.isEstimated ? "~" : ""}${formatUsd(report.microUsd)}`;
  const dot = style.ascii ? " - " : " · ";
  const headline = [
    `${safeText(report.story)}: ${safeText(report.title)}`,
    report.status,
    `${report.ended} of ${report.delegations} done`,
    cost,
  ].join(dot);
  const groups = statusGroups.flatMap((group) => renderGroup(group, report.groups[group], style));
  return [cutLine(headline, style), ...groups].join("\n");
}

const SHOWN = 20;
const SHOWN_DONE = 10;

function renderGroup(group: StatusGroup, members: readonly Delegation[], style: StatusStyle): string[] {
  if (members.length === 0) return [];
  const most = group === "done" ? SHOWN_DONE : SHOWN;
  // Of what is done the newest matter; of everything else, what waits longest.
  const shown = style.all ? members : group === "done" ? members.slice(-most) : members.slice(0, most);
  const hidden = members.length - shown.length;
  const idWidth = Math.max(...shown.map(({ id }) => textWidth(id)));
  const heading = style.paint.bold(`${titles[group]} (${members.length})`);
  const lines = shown.map((member) => renderMember(member, idWidth, style));
  const rest = hidden === 0 ? [] : [`  and ${hidden} more: --all shows them`];
  return ["", heading, ...lines, ...rest];
}

function renderMember(delegation: Delegation, idWidth: number, style: StatusStyle): string {
  const status = delegationStatus(delegation);
  const glyph = glyphs[status][style.ascii ? "ascii" : "mark"];
  const facts = [
    status,
    safeText(delegation.code ?? ""),
    timeText(delegation, style.nowMs),
    costText(delegation),
  ];
  const reason = reasonText(delegation, status);
  const line = [
    `  ${glyph} ${padText(safeText(delegation.id), idWidth, "left")}`,
    facts.filter(Boolean).join(" "),
    safeText(delegation.description) + reason,
  ].join("  ");
  return cutLine(line, style);
}

/** Never a colour alone, and never a mark alone: the word stands beside it. */
const glyphs: Readonly<Record<DelegationStatus, { readonly mark: string; readonly ascii: string }>> = {
  pending: { mark: "◌", ascii: "." },
  running: { mark: "●", ascii: "*" },
  completed: { mark: "✔", ascii: "+" },
  partial: { mark: "◐", ascii: "-" },
  failed: { mark: "✖", ascii: "x" },
  blocked: { mark: "?", ascii: "?" },
  cancelled: { mark: "⊘", ascii: "o" },
  timed_out: { mark: "✖", ascii: "x" },
};

function reasonText(delegation: Delegation, status: DelegationStatus): string {
  const held = heldBy(delegation);
  if (held !== undefined) return `: waits for provider ${safeText(held.provider)} until ${held.until}`;
  return needsReason(status) && delegation.summary !== "" ? `: ${safeText(delegation.summary)}` : "";
}

function needsReason(status: DelegationStatus): boolean {
  return status !== "completed" && status !== "running" && status !== "pending";
}

function timeText({ startedAt, durationMs }: Delegation, nowMs: number): string {
  if (durationMs !== null) return renderDuration(durationMs);
  return startedAt === null ? "" : renderDuration(nowMs - Date.parse(startedAt));
}

function costText({ microUsd, estimated }: Delegation): string {
  return microUsd === 0 ? "" : `${estimated ? "~" : ""}${formatUsd(microUsd)}`;
}

function cutLine(line: string, { width, ascii }: StatusStyle): string {
  return width === undefined ? line : cutText(line, width, ascii);
}

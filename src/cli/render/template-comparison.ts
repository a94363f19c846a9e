import { MIN_STORIES, type ComparedWay, type WayComparison } from "../../app/templates.ts";
import { renderDuration } from "../../base/duration-text.ts";
import { renderUsd } from "./amounts.ts";
import { renderColumns } from "./columns.ts";

export interface RenderedComparison {
  readonly ways: readonly ComparedWay[];
  readonly comparisons: readonly WayComparison[];
}

/** All stories by their way, and those that were assigned by chance with what can be concluded from them. */
export function renderComparison({ ways, comparisons }: RenderedComparison): string {
  const heading = ["way", "stories", "completed", "workers", "cost each", "time", "saved", "conflicts"];
  const rows = ways.map((way) => [
    way.template ?? (way.divided ? "own way" : "undivided"),
    String(way.stories),
    `${way.completed} of ${way.ended}`,
    way.avg_workers.toFixed(1),
    way.avg_cost_usd === null ? "-" : renderUsd(way.avg_cost_usd),
    way.median_duration_ms === null ? "-" : renderDuration(way.median_duration_ms),
    way.time_saved === null ? "-" : `${Math.round(way.time_saved * 100)} %`,
    String(way.conflicts),
  ]);
  const isThin = ways.some((way) => !way.enough_stories);
  const note = isThin ? ["", `Fewer than ${MIN_STORIES} stories of a kind mean little.`] : [];
  return [renderColumns([heading, ...rows]), ...note, ...comparisons.flatMap(renderAssigned)].join("\n");
}

function renderAssigned({ ways, stories, results, differences }: WayComparison): readonly string[] {
  const heading = ["way", "stories", "proven", "cost each", "time"];
  const rows = results.map((way, index) => [
    ways[index] ?? "",
    String(way.stories),
    withRange(formatShare(way.proof_rate), way.proof_interval, (value) => formatShare(value)),
    withRange(
      way.avg_cost_usd === null ? "-" : renderUsd(way.avg_cost_usd),
      way.cost_interval_usd,
      renderUsd,
    ),
    withRange(
      way.avg_duration_ms === null ? "-" : renderDuration(way.avg_duration_ms),
      way.duration_interval_ms,
      renderDuration,
    ),
  ]);
  return [
    "",
    `Assigned at random among ${ways.join(", ")}: ${stories} stories (in brackets: 95 % confidence)`,
    renderColumns([heading, ...rows]),
    ...differences.flatMap(renderDifference),
  ];
}

type WayDifference = WayComparison["differences"][number];
type Measured = WayDifference["cost_usd"];

function renderDifference({ way, than, ...measured }: WayDifference): readonly string[] {
  return [
    ...sayDifference(`${way} is proven`, measured.proof_rate, {
      amount: (value) => `${Math.round(value * 100)} points`,
      words: ["more often", "less often"],
      than,
    }),
    ...sayDifference(`${way} costs`, measured.cost_usd, { amount: renderUsd, words: ["more", "less"], than }),
    ...sayDifference(`${way} takes`, measured.duration_ms, {
      amount: renderDuration,
      words: ["more", "less"],
      than,
    }),
  ];
}

interface Wording {
  readonly amount: (value: number) => string;
  /** For a difference above zero, and below. */
  readonly words: readonly [string, string];
  readonly than: string;
}

function sayDifference(
  subject: string,
  measured: Measured,
  { amount, words: [more, less], than }: Wording,
): readonly string[] {
  if (measured === null || measured.value === 0) return [];
  const word = measured.value > 0 ? more : less;
  const certainty = measured.is_clear ? "" : "; this may be chance";
  return [`${subject} ${amount(Math.abs(measured.value))} ${word} than ${than}${certainty}.`];
}

function withRange(
  text: string,
  interval: { readonly low: number; readonly high: number } | null,
  format: (value: number) => string,
): string {
  return interval === null ? text : `${text} (${format(interval.low)} to ${format(interval.high)})`;
}

function formatShare(share: number | null): string {
  return share === null ? "-" : `${Math.round(share * 100)} %`;
}

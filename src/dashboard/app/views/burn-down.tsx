import type { StoryCost } from "../../../app/view-types.ts";
import { Empty } from "../parts/notices.tsx";
import { formatClock, formatUsd } from "../text/format.ts";

const WIDTH = 640;
const HEIGHT = 300;
const frame = { left: 62, right: 12, top: 14, bottom: 28 } as const;
const LINES = 4;

/** The rest of the budget over time; without a budget, the money spent against the alert. */
export function BurnDown({ cost }: { readonly cost: StoryCost }) {
  const { burn, budgetMicroUsd } = cost;
  const first = burn[0];
  const last = burn.at(-1);
  if (first === undefined || last === undefined || burn.length < 2 || last.microUsd === 0)
    return <Empty title="Nothing has been spent yet" />;
  const top = budgetMicroUsd ?? Math.max(last.microUsd * 1.15, 1);
  const span = Math.max(1, last.atMs - first.atMs);
  const x = (atMs: number): number =>
    frame.left + ((atMs - first.atMs) / span) * (WIDTH - frame.left - frame.right);
  const y = (microUsd: number): number =>
    frame.top + (1 - Math.max(0, Math.min(1, microUsd / top))) * (HEIGHT - frame.top - frame.bottom);
  const shown = burn.map(({ atMs, microUsd }) => ({
    atMs,
    value: budgetMicroUsd === null ? microUsd : budgetMicroUsd - microUsd,
  }));
  // Spending happens at single moments, so the line is level between two of them.
  const steps = shown.map(({ atMs, value }, index) =>
    index === 0 ? `M${x(atMs)} ${y(value)}` : `H${x(atMs)}V${y(value)}`,
  );
  const floor = y(0);
  const told =
    budgetMicroUsd === null
      ? `${formatUsd(last.microUsd)} spent by ${formatClock(last.atMs)}, no budget`
      : `${formatUsd(Math.max(0, budgetMicroUsd - last.microUsd))} left of ${formatUsd(budgetMicroUsd)} at ${formatClock(last.atMs)}`;
  return (
    <figure>
      <svg className="burn" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={told}>
        <Scale top={top} y={y} />
        <path className="burn-area" d={`${steps.join("")}V${floor}H${x(first.atMs)}Z`} />
        <path className="burn-line" d={steps.join("")} />
        <text x={frame.left} y={HEIGHT - 8}>
          {formatClock(first.atMs)}
        </text>
        <text x={WIDTH - frame.right} y={HEIGHT - 8} textAnchor="end">
          {formatClock(last.atMs)}
        </text>
      </svg>
      <figcaption className="quiet">{told}</figcaption>
    </figure>
  );
}

function Scale({ top, y }: { readonly top: number; readonly y: (microUsd: number) => number }) {
  const values = Array.from({ length: LINES + 1 }, (_, index) => (top * index) / LINES);
  return values.map((value) => (
    <g key={value}>
      <path className="burn-scale" d={`M${frame.left} ${y(value)}H${WIDTH - frame.right}`} />
      <text x={frame.left - 8} y={y(value) + 4} textAnchor="end">
        {formatUsd(value)}
      </text>
    </g>
  ));
}

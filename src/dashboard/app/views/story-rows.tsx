import { memo } from "react";
import type { StorySummary } from "../../../app/view-types.ts";
import { Link } from "../frame/link.tsx";
import { storyPath } from "../frame/route.ts";
import { useNow } from "../live/clock.ts";
import { CostText } from "../parts/cost-text.tsx";
import { Meter } from "../parts/meter.tsx";
import { Outside } from "../parts/outside.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { formatAgo, formatDuration, formatMoment, formatSpent, formatUsd } from "../text/format.ts";
import { Rows } from "../parts/rows.tsx";

export function StoryRows({
  runs,
  label,
}: {
  readonly runs: readonly StorySummary[];
  readonly label: string;
}) {
  return (
    <div className="sheet">
      <Rows
        caption={label}
        isCaptionUnseen
        columns={["Story", "State", "Agent", "Workers", "Time", "Cost", "Started"]}
        wide={["Agent", "Time", "Started"]}
      >
        {runs.map((run) => (
          <StoryRow key={run.id} run={run} />
        ))}
      </Rows>
    </div>
  );
}

const StoryRow = memo(function StoryRow({ run }: { readonly run: StorySummary }) {
  const now = useNow(run.endedAtMs === null);
  const started = run.openedAtMs;
  return (
    <tr>
      <th scope="row" className="story-name">
        <Link to={storyPath(run.id)}>
          <Outside text={run.title} className="cut" />
        </Link>
        <Outside text={run.group === "done" ? run.summary : ""} className="cut quiet under" />
      </th>
      <td>
        <StateMark state={run.state} word={run.stateWord} canGoOn={run.canGoOn} />
      </td>
      <td className="wide quiet">
        <Outside text={run.agent} className="cut" />
      </td>
      <td className="numbers">
        {run.workers === 0 ? null : (
          <span title="ended of all">
            {run.ended}/{run.workers}
          </span>
        )}
      </td>
      <td className="wide numbers">
        {started === null ? "" : formatDuration((run.endedAtMs ?? now) - started)}
      </td>
      <td className="numbers">
        <CostText microUsd={run.microUsd} source={run.costSource} /> <StoryBudget run={run} />
      </td>
      <td className="wide quiet numbers" title={started === null ? undefined : formatMoment(started)}>
        {started === null ? "" : formatAgo(started, now)}
      </td>
    </tr>
  );
});

function StoryBudget({ run }: { readonly run: StorySummary }) {
  if (run.limitMicroUsd === null) return null;
  const text = `${formatSpent(run.microUsd)} of ${formatUsd(run.limitMicroUsd)}`;
  return <Meter label="Budget" used={run.microUsd} of={run.limitMicroUsd} text={text} />;
}

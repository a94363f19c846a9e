import type { Attempt, LimitUse } from "../../../app/view-types.ts";
import { Meter } from "../parts/meter.tsx";
import { Outside } from "../parts/outside.tsx";
import { formatCount, formatDuration, formatMoment, formatUsd } from "../text/format.ts";
import type { TabProps } from "./tab-props.ts";
import { Rows } from "../parts/rows.tsx";

const names: Readonly<Record<LimitUse["name"], string>> = {
  cost: "Cost",
  tokens: "Tokens",
  time: "Time",
  workers: "Workers",
  depth: "Depth",
};

export function LimitsTab({ detail }: TabProps) {
  const { limits, refusals, scope, attempts } = detail;
  return (
    <div className="stack">
      <ul className="limit-list numbers">
        {limits.map((limit) => (
          <Limit key={limit.name} limit={limit} />
        ))}
      </ul>
      {refusals.length === 0 ? null : (
        <section className="stack" aria-label="Refused">
          <h3>Refused: it asked for more than its limits allow</h3>
          <ul className="cards">
            {refusals.map(({ description, codes }, at) => (
              <li key={at} className="card">
                <Outside text={description} /> <code>{codes.join(", ")}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      <dl className="facts">
        <dt>May change</dt>
        <dd>{scope.length === 0 ? "every path" : <Outside text={scope.join(", ")} />}</dd>
        <dt>Isolation</dt>
        <dd>{detail.isolation ?? "no workspace now"}</dd>
        <dt>Session</dt>
        <dd className="mono">
          <Outside text={detail.sessionId} />
        </dd>
      </dl>
      {attempts.length === 0 ? null : <Attempts attempts={attempts} />}
    </div>
  );
}

function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <Rows caption="Attempts" columns={["Attempt", "Started", "Took", "Ended"]}>
      {attempts.map(({ number, startedAtMs, endedAtMs, reason, code }) => (
        <tr key={number}>
          <th scope="row">{number}</th>
          <td className="numbers">{startedAtMs === null ? "" : formatMoment(startedAtMs)}</td>
          <td className="numbers">
            {startedAtMs === null || endedAtMs === null ? "" : formatDuration(endedAtMs - startedAtMs)}
          </td>
          <td>
            {code === null ? null : <code>{code} </code>}
            <Outside text={reason} />
          </td>
        </tr>
      ))}
    </Rows>
  );
}

function Limit({ limit: { name, used, of } }: { readonly limit: LimitUse }) {
  const show = (value: number): string => {
    if (name === "cost") return formatUsd(value);
    return name === "time" ? formatDuration(value) : formatCount(value);
  };
  const text = of === null ? `${show(used)}, no limit` : `${show(used)} of ${show(of)}`;
  return (
    <li>
      <span className="limit-name">{names[name]}</span>
      {of === null ? (
        <span className="meter" aria-hidden="true" />
      ) : (
        <Meter label={names[name]} used={used} of={of} text={text} />
      )}
      <span>{text}</span>
    </li>
  );
}

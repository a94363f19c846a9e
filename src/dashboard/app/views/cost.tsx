import type { Figures, StoryCost, StorySummary } from "../../../app/view-types.ts";
import { goTo } from "../frame/route.ts";
import { liveProject } from "../live/project.ts";
import { useSlowVersion } from "../live/slow-version.ts";
import { useStore } from "../live/store.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Empty, Loading, ProblemNote } from "../parts/notices.tsx";
import { formatDuration, formatPercent, formatTokens, formatSpent, formatUsd } from "../text/format.ts";
import { sourceWords } from "../text/state-look.ts";
import { BurnDown } from "./burn-down.tsx";
import { CostTables } from "./cost-tables.tsx";
import { Treemap } from "./treemap.tsx";

/** The cost of a story, by agent, model and task. */
export function Cost({ story }: { readonly story: string | null }) {
  const { runs } = useStore(liveProject);
  const all = [...runs.values()];
  const run = all.find(({ id }) => id === story) ?? all.find(({ microUsd }) => microUsd > 0) ?? all[0];
  return (
    <div className="view">
      <div className="view-head">
        <h1>Cost</h1>
        {run === undefined ? null : <StoryChoice runs={all} chosen={run.id} />}
      </div>
      {run === undefined ? (
        <Empty title="Nothing has been spent">
          Start a story with <code>ambit run "what you want done"</code>.
        </Empty>
      ) : (
        <StoryCost key={run.id} run={run} />
      )}
      <ProjectFigures version={all.length} />
    </div>
  );
}

function StoryChoice({ runs, chosen }: { readonly runs: readonly StorySummary[]; readonly chosen: string }) {
  return (
    <select
      className="field story-choice"
      aria-label="Story"
      value={chosen}
      onChange={(event) => goTo(`/cost/${encodeURIComponent(event.target.value)}`)}
    >
      {runs.map(({ id, title, microUsd }) => (
        <option key={id} value={id}>
          {title.slice(0, 80)} · {formatSpent(microUsd)}
        </option>
      ))}
    </select>
  );
}

function StoryCost({ run }: { readonly run: StorySummary }) {
  const url = `/api/runs/${encodeURIComponent(run.id)}/cost`;
  const version = useSlowVersion(run.microUsd + run.tokens);
  const { answer, problem, reload } = useAnswer<StoryCost>({ url, fields: ["shares", "burn"], version });
  if (answer === undefined) {
    return problem === undefined ? (
      <Loading what="the cost" />
    ) : (
      <ProblemNote problem={problem} onRetry={reload} />
    );
  }
  const overTime = answer.budgetMicroUsd === null ? "Spent over time" : "Budget left over time";
  return (
    <>
      <Totals cost={answer} />
      <div className="halves">
        <section className="sheet pad stack" aria-label="Where it went">
          <h2>Where it went</h2>
          <Treemap shares={answer.shares} story={run.id} />
        </section>
        <section className="sheet pad stack" aria-label={overTime}>
          <h2>{overTime}</h2>
          <BurnDown cost={answer} />
        </section>
      </div>
      <CostTables cost={answer} />
    </>
  );
}

function Totals({ cost }: { readonly cost: StoryCost }) {
  const { budgetMicroUsd, compared } = cost;
  return (
    <dl className="totals numbers">
      <Figure name="Spent" value={formatSpent(cost.microUsd)} note={sourceWords[cost.source]} />
      <Figure
        name="Budget"
        value={budgetMicroUsd === null ? "none" : formatUsd(budgetMicroUsd)}
        note={
          budgetMicroUsd === null
            ? `alert at ${formatUsd(cost.alertMicroUsd)}`
            : `${formatUsd(Math.max(0, budgetMicroUsd - cost.microUsd))} left`
        }
      />
      <Figure
        name="Tokens"
        value={`${formatTokens(cost.tokensIn)} in, ${formatTokens(cost.tokensOut)} out`}
        note={cost.unpricedTokens === 0 ? "" : `${formatTokens(cost.unpricedTokens)} without a price`}
      />
      <Figure
        name="Delegated"
        value={cost.overhead === null ? "–" : formatPercent(cost.overhead)}
        note="of the total"
      />
      <Figure
        name="Time saved"
        value={cost.timeSaved === null ? "–" : formatPercent(cost.timeSaved)}
        note="compared with running one at a time"
      />
      {compared === null ? null : (
        <Figure
          name="Reported, and by price list"
          value={`${formatUsd(compared.reportedMicroUsd)} / ${formatUsd(compared.listMicroUsd)}`}
          note="of the same use"
        />
      )}
      {cost.isAlert ? (
        <Figure name="Alert" value="? above it" note={`set at ${formatUsd(cost.alertMicroUsd)}`} />
      ) : null}
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly note?: string;
}

function Figure({ name, value, note = "" }: FigureProps) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>
        <strong>{value}</strong> <span className="quiet">{note}</span>
      </dd>
    </div>
  );
}

function ProjectFigures({ version }: { readonly version: number }) {
  const wanted = { url: "/api/performance", fields: ["delegations", "successRate"], version } as const;
  const { answer } = useAnswer<Figures>(wanted);
  if (answer === undefined || answer.delegations === 0) return null;
  const percent = (share: number | null): string => (share === null ? "–" : formatPercent(share));
  const time = (ms: number | null): string => (ms === null ? "–" : formatDuration(ms));
  return (
    <section className="stack" aria-label="All stories">
      <h2>All stories of this project</h2>
      <dl className="totals numbers">
        <Figure name="Spent" value={formatSpent(answer.microUsd)} />
        <Figure name="Delegations" value={String(answer.delegations)} note={`${answer.refused} refused`} />
        <Figure name="Succeeded" value={percent(answer.successRate)} note={`${answer.failed} failed`} />
        <Figure name="Duration" value={time(answer.medianMs)} note={`median, p95 ${time(answer.p95Ms)}`} />
        <Figure name="Parallel" value={percent(answer.parallelEfficiency)} note="of the slots in use" />
        <Figure name="Deepest" value={String(answer.maxDepthSeen)} />
      </dl>
    </section>
  );
}

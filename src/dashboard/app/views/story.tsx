import type { Inbox } from "../../../app/view-types.ts";
import { Link } from "../frame/link.tsx";
import { stop } from "../frame/person-actions.ts";
import { goTo, storyForms, storyPath, withPanel, type StoryForm } from "../frame/route.ts";
import { useNow } from "../live/clock.ts";
import { type LiveStory, useLiveStory } from "../live/story.ts";
import { lazyView } from "../parts/lazy-view.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { CostText } from "../parts/cost-text.tsx";
import { Loading, ProblemNote } from "../parts/notices.tsx";
import { Outside } from "../parts/outside.tsx";
import { StateMark } from "../parts/state-mark.tsx";
import { formatDuration, formatUsd, plural } from "../text/format.ts";
import { hasEnded } from "../text/state-look.ts";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { useAnswer } from "../live/use-answer.ts";
import { EntryBody } from "../questions/entry-card.tsx";
import { StoryWork } from "./story-work.tsx";
import type { StoryFormProps } from "./story-form-props.ts";
import { TreeCells } from "./tree-cells.tsx";
import { TreeGrid } from "./tree-grid.tsx";

const Timeline = lazyView("the timeline", async () => (await import("./timeline.tsx")).Timeline);
const Graph = lazyView("the graph", async () => (await import("./graph.tsx")).Graph);

interface StoryProps {
  readonly id: string;
  readonly form: StoryForm;
  /** The delegation whose panel is open. */
  readonly chosen: string | null;
}

const columns = [
  { name: "Delegation", sort: "number" },
  { name: "State", sort: "state" },
  { name: "Agent" },
  { name: "Time", sort: "time" },
  { name: "Cost", sort: "cost" },
  { name: "Criteria" },
  { name: "Files" },
  { name: "Latest" },
] as const;

export function Story({ id, form, chosen }: StoryProps) {
  const live = useLiveStory(id);
  if (live.run === undefined) {
    return (
      <div className="view">
        <h1>Story</h1>
        {live.problem === undefined ? <Loading what="the story" /> : <ProblemNote problem={live.problem} />}
      </div>
    );
  }
  const Form = { tree: TreeTable, timeline: Timeline, graph: Graph }[form];
  return (
    <div className="view fixed">
      <StoryHead live={live} run={live.run} form={form} />
      <QuestionsBar story={id} />
      {live.run.endedAtMs === null ? null : <StoryWork story={id} version={live.run.state} />}
      <Form live={live} story={id} chosen={chosen} onChoose={(node) => goTo(withPanel(node))} />
    </div>
  );
}

interface HeadProps {
  readonly live: LiveStory;
  readonly run: NonNullable<LiveStory["run"]>;
  readonly form: StoryForm;
}

function StoryHead({ live, run, form }: HeadProps) {
  const node = { id: run.id, label: "", title: run.title };
  return (
    <div className="story-head">
      <div className="view-head">
        <h1>
          <Outside text={run.title} className="cut-2" />
        </h1>
        <StateMark state={run.state} word={run.stateWord} canGoOn={run.canGoOn} isTag />
        <div className="actions">
          <FormChoice id={run.id} form={form} />
          {hasEnded(run.state) ? null : (
            <button type="button" className="button danger" onClick={() => void stop(node)}>
              Stop
            </button>
          )}
        </div>
      </div>
      <StoryFigures live={live} run={run} />
    </div>
  );
}

function FormChoice({ id, form }: { readonly id: string; readonly form: StoryForm }) {
  return (
    <nav aria-label="Show the story as">
      <ul className="choice">
        {storyForms.map((name) => (
          <li key={name}>
            <Link
              to={`${storyPath(id, name)}${window.location.search}`}
              className="button"
              aria-current={name === form ? "page" : undefined}
            >
              {name === "tree" ? "Tree" : name === "timeline" ? "Timeline" : "Graph"}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The line the terminal shows above its tree. */
function StoryFigures({ live: { limits, nodes }, run }: Pick<HeadProps, "live" | "run">) {
  const now = useNow(run.endedAtMs === null);
  const elapsed = run.openedAtMs === null ? 0 : (run.endedAtMs ?? now) - run.openedAtMs;
  const depth = [...nodes.values()].reduce((deepest, node) => Math.max(deepest, node.depth), 0);
  const refuser = [...nodes.values()].find((node) => node.refused > 0);
  const refused = [...nodes.values()].reduce((sum, node) => sum + node.refused, 0);
  return (
    <ul className="figures quiet numbers">
      <li className="mono">
        {run.id} <CopyButton text={run.id} what="the id" />
      </li>
      {run.workers === 0 ? null : (
        <li>
          {run.ended} of {run.workers} workers ended
        </li>
      )}
      {refuser === undefined ? null : (
        <li>
          <Link to={withPanel(refuser.id, "limits")}>{refused} refused</Link>
        </li>
      )}
      <li>
        {run.microUsd === 0 ? "cost " : null}
        <CostText microUsd={run.microUsd} source={run.costSource} />
        {run.limitMicroUsd === null ? ", no budget set" : ` of ${formatUsd(run.limitMicroUsd)}`}
      </li>
      <li>{formatDuration(elapsed)}</li>
      <li>
        depth {depth}
        {limits?.maxDepth === null || limits === undefined ? "" : ` of ${limits.maxDepth}`}
      </li>
      {run.summary === "" ? null : (
        <li className="cut">
          <Outside text={run.summary} />
        </li>
      )}
    </ul>
  );
}

/** Everything of one story that waits for the person; opened, it shows all that an answer needs. */
function QuestionsBar({ story }: { readonly story: string }) {
  const { questions } = useStore(liveProject);
  const { answer } = useAnswer<Inbox>({ url: "/api/inbox", fields: ["entries"], version: questions });
  const entries = (answer?.entries ?? []).filter(({ run }) => run === story);
  if (entries.length === 0) return null;
  return (
    <section className="questions-bar" aria-label="Needs you">
      <h2>
        <span aria-hidden="true">? </span>
        {plural(entries.length, "question waits", "questions wait")} for you
      </h2>
      <ul className="cards">
        {entries.map((entry) => (
          <li key={entry.id} className="card question-card">
            <details>
              <summary>
                <Outside text={`${entry.label} ${entry.title}`.trim()} className="asker" />
                <Outside text={entry.question} className="cut" />
              </summary>
              <EntryBody entry={entry} />
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The story as a table of its tree. */
function TreeTable(props: StoryFormProps) {
  return <TreeGrid {...props} columns={columns} rowClass="tree-row" Cells={TreeCells} />;
}

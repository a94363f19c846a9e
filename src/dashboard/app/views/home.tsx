import { useDeferredValue } from "react";
import type { StorySummary, Inbox } from "../../../app/view-types.ts";
import { liveProject, loadOlderRuns } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { Empty } from "../parts/notices.tsx";
import { Link } from "../frame/link.tsx";
import { useQueryValue } from "../frame/route.ts";
import { plural } from "../text/format.ts";
import { useAnswer } from "../live/use-answer.ts";
import { EntryBody, EntryHead } from "../questions/entry-card.tsx";
import { StoryRows } from "./story-rows.tsx";

const MAX_SHOWN = 5;

/** Stories that need a person first, then running ones, then history. */
export function Home() {
  const { runs, hasMore } = useStore(liveProject);
  const [filter, setFilter] = useQueryValue("q");
  const found = useFound([...runs.values()], filter);
  const working = found.filter(({ group }) => group !== "done");
  const done = found.filter(({ group }) => group === "done");
  return (
    <div className="view home">
      <div className="view-head">
        <h1>Stories</h1>
        <input
          type="search"
          className="field"
          aria-label="Filter stories"
          placeholder="Filter by title, agent, state…  /"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <Link to="/new" className="button main-action">
          New story
        </Link>
      </div>
      <QuestionCards />
      {runs.size === 0 ? <NoStories /> : null}
      <StorySection title="At work" runs={working} />
      <StorySection title="History" runs={done} />
      {runs.size > 0 && found.length === 0 ? <Empty title={`No story matches “${filter}”`} /> : null}
      {!hasMore ? null : (
        <p>
          <button type="button" className="button" onClick={() => void loadOlderRuns()}>
            Show older stories
          </button>
        </p>
      )}
      <p className="unseen" role="status">
        {filter === "" ? "" : `${plural(found.length, "story", "stories")} found.`}
      </p>
    </div>
  );
}

function useFound(runs: readonly StorySummary[], filter: string): readonly StorySummary[] {
  const words = useDeferredValue(filter)
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
  return runs.filter(({ id, title, agent, stateWord, code, summary }) => {
    const haystack = `${id} ${title} ${agent} ${stateWord} ${code ?? ""} ${summary}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

function StorySection({ title, runs }: { readonly title: string; readonly runs: readonly StorySummary[] }) {
  if (runs.length === 0) return null;
  return (
    <section className="stack" aria-label={title}>
      <h2>
        {title} <span className="quiet">{runs.length}</span>
      </h2>
      <StoryRows runs={runs} label={title} />
    </section>
  );
}

function NoStories() {
  return (
    <Empty title="No story yet">
      <Link to="/new">Start one here</Link> or in a terminal with <code>ambit run "what you want done"</code>,
      or see it work with <code>ambit demo</code>. It appears here by itself. Tasks are on the{" "}
      <Link to="/board">board</Link>.
    </Empty>
  );
}

/** The oldest pending requests, answerable without leaving the page. */
function QuestionCards() {
  const { questions } = useStore(liveProject);
  const { answer } = useAnswer<Inbox>({ url: "/api/inbox", fields: ["entries"], version: questions });
  const entries = answer?.entries ?? [];
  if (entries.length === 0) return null;
  return (
    <section className="stack" aria-label="Needs you">
      <h2>
        Needs you <span className="count">{entries.length}</span>
      </h2>
      <ul className="cards">
        {entries.slice(0, MAX_SHOWN).map((entry) => (
          <li key={entry.id} className="card question-card">
            <EntryHead entry={entry} />
            <EntryBody entry={entry} />
          </li>
        ))}
      </ul>
      {entries.length <= MAX_SHOWN ? null : (
        <p>
          <Link to="/inbox">And {plural(entries.length - MAX_SHOWN, "more", "more")} in the inbox</Link>
        </p>
      )}
    </section>
  );
}

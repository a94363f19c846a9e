import type { Inbox } from "../../../app/view-types.ts";
import { Link } from "../frame/link.tsx";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { useAnswer } from "../live/use-answer.ts";
import { plural } from "../text/format.ts";
import { EntryBody, EntryHead } from "../questions/entry-card.tsx";

const MAX_SHOWN = 5;

/** The oldest pending requests, answerable without leaving the page. */
export function QuestionCards() {
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

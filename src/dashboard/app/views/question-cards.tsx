import type { Inbox, InboxEntry } from "../../../app/view-types.ts";
import { Link } from "../frame/link.tsx";
import { storyPath } from "../frame/route.ts";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { useAnswer } from "../live/use-answer.ts";
import { plural } from "../text/format.ts";
import { Outside } from "../parts/outside.tsx";
import { EntryActions, kindWords } from "./inbox-entry.tsx";

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
          <QuestionCard key={entry.id} entry={entry} />
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

function QuestionCard({ entry }: { readonly entry: InboxEntry }) {
  return (
    <li className="card question-card">
      <p className="card-head">
        <span className="tag tone-attention">
          <span aria-hidden="true">?</span> {kindWords[entry.kind]}
        </span>
        <Link to={`${storyPath(entry.run)}?d=${encodeURIComponent(entry.delegation)}`}>
          <Outside text={`${entry.label} ${entry.title}`.trim()} className="cut" />
        </Link>
        <Outside text={entry.agent} className="quiet" />
      </p>
      <p className="asked">
        <Outside text={entry.question} />
      </p>
      <EntryActions entry={entry} />
    </li>
  );
}

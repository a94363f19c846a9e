import type { Inbox } from "../../../app/view-types.ts";
import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { useAnswer } from "../live/use-answer.ts";
import { Outside } from "../parts/outside.tsx";
import { plural } from "../text/format.ts";
import { EntryBody } from "./entry-card.tsx";

/** Everything of one story that waits for the person; opened, it shows all that an answer needs. */
export function QuestionsBar({ story }: { readonly story: string }) {
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

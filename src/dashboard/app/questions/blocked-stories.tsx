import type { BlockedStory } from "../../../app/view-types.ts";
import { Link } from "../frame/link.tsx";
import { storyPath } from "../frame/route.ts";
import { useNow } from "../live/clock.ts";
import { LongText, Outside } from "../parts/outside.tsx";
import { formatAgo } from "../text/format.ts";
import { unblock } from "./answers.ts";

/** Stories that have ended and go on only with a person's help. */
export function BlockedStories({ stories }: { readonly stories: readonly BlockedStory[] }) {
  if (stories.length === 0) return null;
  return (
    <section className="stack" aria-label="Ended blocked">
      <h2>
        Ended blocked <span className="quiet">{stories.length}</span>
      </h2>
      <ul className="cards">
        {stories.map((story) => (
          <BlockedCard key={story.id} story={story} />
        ))}
      </ul>
    </section>
  );
}

function BlockedCard({ story }: { readonly story: BlockedStory }) {
  const now = useNow(false);
  const { id, title, summary, needs, blockedAtMs, can } = story;
  return (
    <li className="card">
      <p className="card-head">
        <span className="tag tone-attention">
          <span aria-hidden="true">!</span> Blocked
        </span>
        <Link to={storyPath(id)}>
          <Outside text={title} className="cut" />
        </Link>
        <span className="quiet numbers">{blockedAtMs === null ? "" : formatAgo(blockedAtMs, now)}</span>
      </p>
      <p className="asked">
        <LongText text={summary} />
      </p>
      {needs.length === 0 ? null : (
        <ul className="details">
          {needs.map((need, at) => (
            <li key={at}>
              <LongText text={need} />
            </li>
          ))}
        </ul>
      )}
      {can.includes("unblock") ? (
        <div className="actions">
          <button type="button" className="button main-action" onClick={() => void unblock(story)}>
            Answer
          </button>
        </div>
      ) : null}
    </li>
  );
}

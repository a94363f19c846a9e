import type { UnservedEntry } from "../../../app/view-types.ts";
import { Link } from "../frame/link.tsx";
import { storyPath } from "../frame/route.ts";
import { useNow } from "../live/clock.ts";
import { LongText, Outside } from "../parts/outside.tsx";
import { formatAgo } from "../text/format.ts";

/** Work that begins when a person starts the machine that it needs. */
export function UnservedWork({ works }: { readonly works: readonly UnservedEntry[] }) {
  const now = useNow(false);
  if (works.length === 0) return null;
  return (
    <section className="stack" aria-label="Waits for a machine">
      <h2>
        Waits for a machine <span className="quiet">{works.length}</span>
      </h2>
      <ul className="cards">
        {works.map(({ id, run, label, title, text, toldAtMs }) => (
          <li key={id} className="card">
            <p className="card-head">
              <span className="tag tone-attention">
                <span aria-hidden="true">!</span> No machine
              </span>
              <Link to={storyPath(run)}>
                <Outside text={label === "" ? title : `${label} ${title}`} className="cut" />
              </Link>
              <span className="quiet numbers">{toldAtMs === null ? "" : formatAgo(toldAtMs, now)}</span>
            </p>
            <p className="asked">
              <LongText text={text} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

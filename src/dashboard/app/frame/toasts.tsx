import { dismissToast, toasts } from "../live/actions.ts";
import { useStore } from "../live/store.ts";
import { Outside } from "../parts/outside.tsx";
import { Link } from "./link.tsx";
import { storyPath } from "./route.ts";

/** The outcomes of recent actions; the announcer reads them to screen readers. */
export function Toasts() {
  const shown = useStore(toasts);
  if (shown.length === 0) return null;
  return (
    <section className="toasts" aria-label="What happened">
      {shown.map(({ id, tone, text, run }) => (
        <div key={id} className={`toast tone-${tone}`}>
          <span aria-hidden="true">{tone === "good" ? "✔" : "✖"}</span>
          <Outside text={text} />
          {run === null ? null : <Link to={storyPath(run)}>Open</Link>}
          <button type="button" className="button bare" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            ×
          </button>
        </div>
      ))}
    </section>
  );
}

import { announcement } from "../live/announce.ts";
import { useStore } from "../live/store.ts";

/** The live region that screen readers follow. */
export function Announcer() {
  return (
    <div className="unseen" aria-live="polite" data-announcer="">
      {useStore(announcement)}
    </div>
  );
}

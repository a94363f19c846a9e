import { announcement } from "../live/announce.ts";
import { useStore } from "../live/store.ts";

/** Where screen readers listen for changes. */
export function Announcer() {
  return (
    <div className="unseen" aria-live="polite" data-announcer="">
      {useStore(announcement)}
    </div>
  );
}

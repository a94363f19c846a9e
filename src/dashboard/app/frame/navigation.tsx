import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { views } from "./commands.ts";
import { Link } from "./link.tsx";
import type { Place } from "./route.ts";

export function Navigation({ place: { route } }: { readonly place: Place }) {
  const { project } = useStore(liveProject);
  const needsYou = project?.needsYou ?? 0;
  const here = route.view === "home" || route.view === "story" ? "/" : `/${route.view}`;
  return (
    <nav className="side" aria-label="Views">
      <ul>
        {views.map(({ path, name, key }) => (
          <li key={path}>
            <Link to={path} aria-current={path === here ? "page" : undefined} aria-keyshortcuts={key}>
              {name}
              {name === "Inbox" && needsYou > 0 ? (
                <span className="count">
                  {needsYou}
                  <span className="unseen"> waiting for you</span>
                </span>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

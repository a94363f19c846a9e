import { useEffect, useRef, type ReactNode } from "react";
import { liveProject, watchProject } from "../live/project.ts";
import { perform, dismissToast, toasts } from "../live/actions.ts";
import { useStore } from "../live/store.ts";
import { ErrorBoundary } from "../parts/error-boundary.tsx";
import { lazyView, loadViews } from "../parts/lazy-view.tsx";
import { Loading, ProblemNote } from "../parts/notices.tsx";
import { announcement } from "../live/announce.ts";
import { Outside } from "../parts/outside.tsx";
import { Header } from "./header.tsx";
import { useKeys } from "./keys.ts";
import { openOverlay, overlay } from "./overlay.ts";
import { goTo, usePlace, type Place, storyPath } from "./route.ts";
import { views } from "./commands.ts";
import { View } from "./view.tsx";
import { Link } from "./link.tsx";

const Overlays = lazyView("the dialog", async () => (await import("./overlays.tsx")).Overlays);
/** By then the first view is there, so dialogs and the other views can be fetched ahead and open at once. */
const IDLE_MS = 1500;

export function App() {
  const place = usePlace();
  const shown = useStore(overlay);
  useFrameKeys();
  useNewView(place);
  useEffect(() => {
    const timer = window.setTimeout(loadViews, IDLE_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <>
      <a className="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <div className="frame">
        <Header place={place} />
        <Banner />
        <Navigation place={place} />
        <WhenReady>
          <View place={place} />
        </WhenReady>
      </div>
      <Toasts />
      <Announcer />
      {shown.kind === "none" ? null : (
        <ErrorBoundary place={shown.kind}>
          <Overlays shown={shown} />
        </ErrorBoundary>
      )}
    </>
  );
}

/** A link to `#main` would change the address, which belongs to the router. */
function skip(event: React.MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#main")?.focus();
}

function useFrameKeys(): void {
  useKeys({
    ...Object.fromEntries(views.map(({ key, path }) => [key, () => goTo(path)])),
    "?": () => openOverlay({ kind: "keys" }),
    "/": () => document.querySelector<HTMLElement>("#main input[type=search]")?.focus(),
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openOverlay({ kind: "palette" });
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

const titles: Readonly<Record<Place["route"]["view"], string>> = {
  home: "Stories",
  story: "Story",
  inbox: "Inbox",
  new: "New story",
  health: "Health",
  board: "Board",
  cost: "Cost",
  audit: "Audit",
  unknown: "Not found",
};

/** After a change of view by keyboard, the focus moves to the new view instead of staying on the link. */
function useNewView({ route }: Place): void {
  const { project, runs } = useStore(liveProject);
  const story = route.view === "story" ? (runs.get(route.story)?.title ?? titles.story) : titles[route.view];
  const needsYou = project?.needsYou ?? 0;
  useEffect(() => {
    document.title = `${needsYou > 0 ? `(${needsYou}) ` : ""}${story} · ${project?.name ?? "Ambit"}`;
  }, [story, needsYou, project?.name]);
  const isFirst = useRef(true);
  useEffect(() => {
    // The first view keeps the focus at the top, so that the first Tab reaches the skip link.
    if (!isFirst.current && document.activeElement === document.body) {
      document.querySelector<HTMLElement>("#main")?.focus();
    }
    isFirst.current = false;
  }, [route.view]);
}

/** Warns if the rest of the page is wrong: it is out of date, or no supervisor drives the work it shows. */
function Banner() {
  const { connection, project, runs } = useStore(liveProject);
  if (project === undefined) return <div />;
  if (connection === "lost") return <ConnectionBanner />;
  const stands = [...runs.values()].find(({ canGoOn }) => canGoOn);
  return project.isSupervised || stands === undefined ? <div /> : <StandstillBanner story={stands.id} />;
}

function StandstillBanner({ story }: { readonly story: string }) {
  return (
    <div className="banner" role="alert">
      <span aria-hidden="true">◌</span>
      <span>No supervisor is running, so open work is interrupted. Nothing is lost.</span>
      <button type="button" className="button" onClick={() => void perform({ kind: "resume", id: story })}>
        Resume
      </button>
    </div>
  );
}

function ConnectionBanner() {
  return (
    <div className="banner" role="alert">
      <span aria-hidden="true">◌</span>
      <span>
        Not connected: this page may be out of date. Ambit keeps trying to reconnect. If that does not help,
        start <code>ambit dashboard</code> again.
      </span>
    </div>
  );
}

function WhenReady({ children }: { readonly children: ReactNode }) {
  const { project, problem } = useStore(liveProject);
  if (problem !== undefined) {
    return (
      <main id="main" className="main" tabIndex={-1}>
        <div className="view">
          <h1>The dashboard cannot be shown</h1>
          <ProblemNote problem={problem} onRetry={() => void watchProject()} />
        </div>
      </main>
    );
  }
  if (project !== undefined) return children;
  return (
    <main id="main" className="main" tabIndex={-1}>
      <Loading what="the project" />
    </main>
  );
}

/** The live region that screen readers follow. */
function Announcer() {
  return (
    <div className="unseen" aria-live="polite" data-announcer="">
      {useStore(announcement)}
    </div>
  );
}

function Navigation({ place: { route } }: { readonly place: Place }) {
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

/** The outcomes of recent actions; the announcer reads them to screen readers. */
function Toasts() {
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

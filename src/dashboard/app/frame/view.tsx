import type { ReactNode } from "react";
import { ErrorBoundary } from "../parts/error-boundary.tsx";
import { lazyView } from "../parts/lazy-view.tsx";
import { Empty } from "../parts/notices.tsx";
import { Home } from "../views/home.tsx";
import { Story } from "../views/story.tsx";
import { Link } from "./link.tsx";
import type { Place } from "./route.ts";

const Panel = lazyView("the panel", async () => (await import("../panel/panel.tsx")).Panel);
const Inbox = lazyView("the inbox", async () => (await import("../views/inbox.tsx")).Inbox);
const NewStory = lazyView("the form", async () => (await import("../views/new-story.tsx")).NewStory);
const Health = lazyView("the findings", async () => (await import("../views/health.tsx")).Health);
const Board = lazyView("the board", async () => (await import("../views/board.tsx")).Board);
const Cost = lazyView("the cost", async () => (await import("../views/cost.tsx")).Cost);
const Audit = lazyView("the audit", async () => (await import("../views/audit.tsx")).Audit);

/** The view that the address names, and the panel next to it. */
export function View({ place }: { readonly place: Place }) {
  const { delegation, tab } = place;
  return (
    <main id="main" className={`main${delegation === null ? "" : " with-panel"}`} tabIndex={-1}>
      <ErrorBoundary place={JSON.stringify(place.route)}>{renderView(place)}</ErrorBoundary>
      {delegation === null ? null : (
        <ErrorBoundary place={`${delegation} ${tab ?? ""}`}>
          <Panel key={delegation} id={delegation} tab={tab ?? "log"} />
        </ErrorBoundary>
      )}
    </main>
  );
}

function renderView({ route, delegation }: Place): ReactNode {
  switch (route.view) {
    case "home":
      return <Home />;
    case "story":
      return <Story key={route.story} id={route.story} form={route.form} chosen={delegation} />;
    case "inbox":
      return <Inbox />;
    case "new":
      return <NewStory />;
    case "health":
      return <Health />;
    case "board":
      return <Board />;
    case "cost":
      return <Cost story={route.story} />;
    case "audit":
      return <Audit />;
    case "unknown":
      return (
        <div className="view">
          <h1>Not found</h1>
          <Empty title="There is nothing at this address">
            <Link to="/">Go to the stories</Link>
          </Empty>
        </div>
      );
  }
}

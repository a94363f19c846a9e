import { lazy, Suspense, type ReactNode } from "react";
import { Empty, Loading } from "../parts/notices.tsx";
import { Home } from "../views/home.tsx";
import { Story } from "../views/story.tsx";
import { Link } from "./link.tsx";
import type { Place } from "./route.ts";

const Panel = lazy(async () => ({ default: (await import("../panel/panel.tsx")).Panel }));
const Inbox = lazy(async () => ({ default: (await import("../views/inbox.tsx")).Inbox }));
const Board = lazy(async () => ({ default: (await import("../views/board.tsx")).Board }));
const Cost = lazy(async () => ({ default: (await import("../views/cost.tsx")).Cost }));
const Audit = lazy(async () => ({ default: (await import("../views/audit.tsx")).Audit }));

/** The view that the address names, and the panel next to it. */
export function View({ place }: { readonly place: Place }) {
  const { delegation, tab } = place;
  return (
    <main id="main" className={`main${delegation === null ? "" : " with-panel"}`} tabIndex={-1}>
      <Suspense fallback={<Loading what="the view" />}>{renderView(place)}</Suspense>
      {delegation === null ? null : (
        <Suspense fallback={<Loading what="the panel" />}>
          <Panel key={delegation} id={delegation} tab={tab ?? "log"} />
        </Suspense>
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

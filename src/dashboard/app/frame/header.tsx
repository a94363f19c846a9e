import { liveProject } from "../live/project.ts";
import { useStore } from "../live/store.ts";
import { Meter } from "../parts/meter.tsx";
import { Outside } from "../parts/outside.tsx";
import { formatSpent, formatUsd, plural } from "../text/format.ts";
import { Link } from "./link.tsx";
import { openOverlay } from "./overlay.ts";
import type { Place } from "./route.ts";
import { chooseTheme, theme, themes } from "./theme.ts";

export function Header({ place }: { readonly place: Place }) {
  const { project } = useStore(liveProject);
  return (
    <header className="top">
      <Link to="/" className="brand" aria-label="Ambit: all stories">
        <Mark />
        <span className="word">ambit</span>
      </Link>
      {project === undefined ? null : <Outside text={project.name} className="project cut" />}
      <Counts />
      <span className="spring" />
      <Spent place={place} />
      <button type="button" className="button" onClick={() => openOverlay({ kind: "palette" })}>
        <span aria-hidden="true">⌕</span>
        <span className="word">Go to</span> <kbd>{isApple() ? "⌘K" : "Ctrl K"}</kbd>
      </button>
      <ThemeChoice />
      <button
        type="button"
        className="button keys-button"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => openOverlay({ kind: "keys" })}
      >
        ?
      </button>
    </header>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2a55c9" />
      <path
        d="M8 23 16 8l8 15"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="16" cy="20" r="2.4" fill="#fff" />
    </svg>
  );
}

function isApple(): boolean {
  return navigator.userAgent.includes("Mac");
}

function Counts() {
  const { project } = useStore(liveProject);
  if (project === undefined) return null;
  const { working, needsYou, isSupervised } = project;
  const isAtWork = working > 0 && isSupervised;
  const isStanding = working > 0 && !isSupervised;
  return (
    <div className="counts">
      <span className={`state tone-${isAtWork ? "busy moving" : isStanding ? "attention" : "quiet"}`}>
        <span className="glyph" aria-hidden="true">
          {isAtWork ? "●" : "◌"}
        </span>
        {working} <span className="word">{isStanding ? "interrupted" : "working"}</span>
      </span>
      <Link to="/inbox" className={`state tone-${needsYou > 0 ? "attention" : "quiet"}`}>
        <span className="glyph" aria-hidden="true">
          ?
        </span>
        {needsYou} <span className="word">{needsYou === 1 ? "needs you" : "need you"}</span>
      </Link>
    </div>
  );
}

/** The cost of the shown story against its budget; on other views, the cost of the project. */
function Spent({ place: { route } }: { readonly place: Place }) {
  const { project, runs } = useStore(liveProject);
  const run = route.view === "story" ? runs.get(route.story) : undefined;
  if (project === undefined) return null;
  if (run?.limitMicroUsd === undefined || run.limitMicroUsd === null) {
    const microUsd = run?.microUsd ?? project.microUsd;
    const whose =
      run === undefined ? `all ${plural(runs.size, "story", "stories")}` : "this story, no budget";
    return (
      <span className="spent numbers" title={`Spent: ${whose}`}>
        {runs.size === 0 ? formatUsd(0) : microUsd === 0 ? "cost not reported" : formatSpent(microUsd)}
      </span>
    );
  }
  const text = `${formatSpent(run.microUsd)} of ${formatUsd(run.limitMicroUsd)}`;
  return (
    <span className="spent numbers" title="Spent by this story, of its budget">
      {text}
      <Meter label="Budget of this story" used={run.microUsd} of={run.limitMicroUsd} text={text} />
    </span>
  );
}

function ThemeChoice() {
  const chosen = useStore(theme);
  return (
    <select
      className="field"
      aria-label="Theme"
      value={chosen}
      onChange={(event) => chooseTheme(themes.find((name) => name === event.target.value) ?? "system")}
    >
      <option value="system">◐ System</option>
      <option value="light">○ Light</option>
      <option value="dark">● Dark</option>
    </select>
  );
}

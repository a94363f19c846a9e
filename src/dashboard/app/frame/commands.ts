import type { StorySummary, TreeNode } from "../../../app/view-types.ts";
import { announce } from "../live/announce.ts";
import { canNotify, isNotifying, switchNotifying } from "../live/notify.ts";
import { openOverlay } from "./overlay.ts";
import { goTo, storyForms, storyPath, readPlace, withPanel } from "./route.ts";
import { chooseTheme, themes } from "./theme.ts";
import { stop } from "./person-actions.ts";
import { hasEnded } from "../text/state-look.ts";

export interface Command {
  readonly id: string;
  readonly name: string;
  /** The kind of entry, shown next to its name. */
  readonly where: string;
  readonly run: () => void;
}

export const views = [
  { path: "/", name: "Stories", key: "1" },
  { path: "/inbox", name: "Inbox", key: "2" },
  { path: "/board", name: "Board", key: "3" },
  { path: "/cost", name: "Cost", key: "4" },
  { path: "/audit", name: "Audit", key: "5" },
  { path: "/health", name: "Health", key: "6" },
] as const;

const MAX_FOUND = 50;

/** Every command and every destination of the palette. */
export function listCommands(runs: readonly StorySummary[], nodes: readonly TreeNode[]): readonly Command[] {
  const { route } = readPlace(window.location.href);
  const here = route.view === "story" ? runs.find(({ id }) => id === route.story) : undefined;
  return [
    ...views.map(({ path, name, key }) => ({
      id: path,
      name,
      where: `view · ${key}`,
      run: () => goTo(path),
    })),
    ...(here === undefined ? [] : [...aboutStory(here), ...listDelegations(nodes)]),
    ...runs.map((run) => ({
      id: run.id,
      name: run.title,
      where: `story · ${run.stateWord}`,
      run: () => goTo(storyPath(run.id)),
    })),
    ...themes.map((name) => ({
      id: `theme-${name}`,
      name: `Theme: ${name}`,
      where: "setting",
      run: () => {
        chooseTheme(name);
        announce(`Theme: ${name}.`);
      },
    })),
    { id: "new", name: "Start a new story", where: "action", run: () => goTo("/new") },
    ...(canNotify() ? [notifyCommand()] : []),
    { id: "keys", name: "Keys", where: "help · ?", run: () => openOverlay({ kind: "keys" }) },
  ];
}

function notifyCommand(): Command {
  const isOn = isNotifying.get();
  return {
    id: "notify",
    name: isOn ? "Stop notifying me in this browser" : "Notify me in this browser",
    where: "setting",
    run: () => void switchNotifying(!isOn),
  };
}

function aboutStory(run: StorySummary): readonly Command[] {
  const forms = storyForms.map((form) => ({
    id: `form-${form}`,
    name: `This story as ${form}`,
    where: "view",
    run: () => goTo(storyPath(run.id, form)),
  }));
  const ending = { id: "stop", name: "Stop this story", where: "action", run: () => void stopStory(run) };
  return hasEnded(run.state) ? forms : [...forms, ending];
}

function listDelegations(nodes: readonly TreeNode[]): readonly Command[] {
  return nodes.map((node) => ({
    id: node.id,
    name: `${node.label} ${node.title}`.trim(),
    where: `delegation · ${node.stateWord}`,
    run: () => goTo(withPanel(node.id)),
  }));
}

async function stopStory(run: StorySummary): Promise<void> {
  await stop({ id: run.id, label: "", title: run.title });
}

/** Every word must occur, in any order. */
export function findCommands(commands: readonly Command[], text: string): readonly Command[] {
  const words = text
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
  const isMeant = ({ name, where, id }: Command): boolean => {
    const haystack = `${name} ${where} ${id}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  };
  return commands.filter(isMeant).slice(0, MAX_FOUND);
}

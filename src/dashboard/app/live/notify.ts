import { createStore } from "./store.ts";
import { liveProject, type LiveProject } from "./project.ts";

const KEY = "ambit-notify";

/** Whether this browser tells the person what waits for them and what has ended, outside of the page. */
export const isNotifying = createStore(
  canNotify() && Notification.permission === "granted" && window.localStorage.getItem(KEY) === "on",
);

export function canNotify(): boolean {
  return "Notification" in window;
}

/** Asks the browser for permission when it is switched on; it stays off if the person refuses. */
export async function switchNotifying(isOn: boolean): Promise<void> {
  const isAllowed = isOn && (await Notification.requestPermission()) === "granted";
  window.localStorage.setItem(KEY, isAllowed ? "on" : "off");
  isNotifying.set(() => isAllowed);
}

/** Compares each state of the project with the one before it. `open` leads to what a notification is about. */
export function startNotifying(open: (path: string) => void): void {
  let before = liveProject.get();
  liveProject.watch(() => {
    const now = liveProject.get();
    const news = isNotifying.get() && !document.hasFocus() ? listNews(before, now) : [];
    before = now;
    for (const { title, body, path } of news) {
      const notification = new Notification(title, { body, tag: path });
      notification.addEventListener("click", () => {
        window.focus();
        open(path);
      });
    }
  });
}

interface News {
  readonly title: string;
  readonly body: string;
  readonly path: string;
}

function listNews(before: LiveProject, now: LiveProject): readonly News[] {
  const [old, project] = [before.project, now.project];
  if (old === undefined || project === undefined) return [];
  const body = project.name;
  const count = project.needsYou;
  const asked =
    count > old.needsYou
      ? [
          {
            title: `${count} ${count === 1 ? "question waits" : "questions wait"} for you`,
            body,
            path: "/inbox",
          },
        ]
      : [];
  const ended = [...now.runs.values()]
    .filter(({ id, endedAtMs }) => endedAtMs !== null && before.runs.get(id)?.endedAtMs === null)
    .map(({ id, title, stateWord }) => ({
      title: `${stateWord}: ${title}`,
      body,
      path: `/story/${encodeURIComponent(id)}`,
    }));
  return [...asked, ...ended];
}

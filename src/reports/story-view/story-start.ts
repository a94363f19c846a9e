import type { Fields } from "../events/fields.ts";

/** The start of a story: the user's commit, and the part of their uncommitted work that was added to it. */
export interface StoryStart {
  readonly head: string;
  readonly changed: number;
  readonly untracked: number;
  readonly leftOut: readonly LeftOutFile[];
}

export interface LeftOutFile {
  readonly path: string;
  readonly reason: string;
}

const reasons: Readonly<Record<string, string>> = {
  "looks-secret": "looks like a secret",
  environment: "is an installed environment",
  "too-large": "is too large",
  "nested-repository": "is another repository",
  "behind-a-filter": "is written by a git filter",
  "special-file": "is not a plain file",
  "git-name": "has a name that git reserves",
  unreadable: "cannot be read",
};

const MAX_NAMED = 5;

export function readStoryStart(data: Fields): StoryStart | null {
  const start = data.within("start");
  const head = start.text("head");
  if (head === "") return null;
  const leftOut = start
    .list("leftOut")
    .map((one) => ({ path: one.text("path"), reason: one.text("reason") }));
  return { head, changed: start.amount("changed"), untracked: start.amount("untracked"), leftOut };
}

/** `starts from HEAD with your uncommitted work (2 changed, 1 untracked); left out: .env (looks like a secret)` */
export function describeStart({ changed, untracked, leftOut }: StoryStart): string {
  const counts = [
    ...(changed === 0 ? [] : [`${changed} changed`]),
    ...(untracked === 0 ? [] : [`${untracked} untracked`]),
  ];
  const own = counts.length === 0 ? "" : ` with your uncommitted work (${counts.join(", ")})`;
  const named = leftOut
    .slice(0, MAX_NAMED)
    .map(({ path, reason }) => `${path} (${reasons[reason] ?? reason})`);
  const more = leftOut.length > MAX_NAMED ? [`${leftOut.length - MAX_NAMED} more`] : [];
  const rest = leftOut.length === 0 ? "" : `; left out: ${[...named, ...more].join(", ")}`;
  return `starts from HEAD${own}${rest}`;
}

/** Whether there is anything to say besides the commit. */
export function hasOwnWork({ changed, untracked, leftOut }: StoryStart): boolean {
  return changed + untracked + leftOut.length > 0;
}

/** The wire form. */
export function describeStartDocument(start: StoryStart | null): Readonly<Record<string, unknown>> | null {
  if (start === null) return null;
  const { head, changed, untracked, leftOut } = start;
  return { head, changed, untracked, left_out: leftOut };
}

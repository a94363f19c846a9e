const KEYS: readonly (readonly [string, string])[] = [
  ["arrows", "choose a worker, or scroll what is open"],
  ["PgUp, PgDn", "the same by a screen; Home and End go to the ends"],
  ["Enter", "open the question of one that asks, or the log of any other"],
  ["l", "log; in it, e shows stderr and Home reads earlier lines"],
  ["d", "diff: what the work has changed so far"],
  ["r", "reply to its question, or write to it while it works"],
  ["a, x", "approve or reject what it asks for, with the diff shown"],
  ["s", "stop it; its work is kept"],
  ["n, Tab", "the next worker that asks you something"],
  ["/", "filter by number, title, agent, state or id; Esc shows all"],
  ["q, Esc", "close what is open; in the list, q leaves"],
  ["Ctrl-C", "leave from anywhere; the work continues"],
];

/** Every key, one per row. */
export function listKeys(): readonly string[] {
  const widest = Math.max(...KEYS.map(([key]) => key.length));
  const rows = KEYS.map(([key, does]) => `${key.padEnd(widest)}  ${does}`);
  return ["Keys", "", ...rows, "", "Leaving stops nothing."];
}

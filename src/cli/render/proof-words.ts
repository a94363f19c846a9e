/** What a check shows, compared with the tree that the work started from. */
export const meaningWords: Readonly<Record<string, string>> = {
  proves: "red before, green now: proves the work",
  "no-regression": "green before, too: no regression",
  "proves-nothing": "green before, nothing changed: proves nothing",
  broken: "green before: broken by the work",
  "red-before": "red before the work, too",
};

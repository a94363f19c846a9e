/** What the checks of a delegation show, in few words, where they do not prove its work. */
export const weakWords: Readonly<Record<string, string>> = {
  "no-regression": "green before, too",
  nothing: "proves nothing",
  broken: "broken by the work",
  "red-before": "red before, too",
};

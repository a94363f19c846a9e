/** Short words for the checks of a delegation if they do not prove its work. */
export const weakWords: Readonly<Record<string, string>> = {
  "no-regression": "green before, too",
  nothing: "proves nothing",
  broken: "broken by the work",
  "red-before": "red before, too",
};

/** The language of a task by source; undefined where a source does not name one. */
export interface LanguageSources {
  readonly flag?: string | undefined;
  /** `state.json` in the task's own folder. */
  readonly project?: string | undefined;
  /** The task's entry in the store's `state.json`. */
  readonly state?: string | undefined;
  /** The `**Language**:` field in TODO.md. */
  readonly todo?: string | undefined;
}

export interface TaskLanguage {
  readonly language: string;
  /** Where it was found, in words. */
  readonly origin: string;
}

const GENERAL = "general";

/** Takes the flag, then the task's own state.json, then the store's, then TODO.md, then general (C23, R150). */
export function chooseTaskLanguage(sources: LanguageSources): TaskLanguage {
  const places = [
    { language: sources.flag, origin: "from --lang" },
    { language: sources.project, origin: "from the task's own state.json" },
    { language: sources.state, origin: "from state.json" },
    { language: sources.todo, origin: "from TODO.md" },
  ];
  const found = places.find(({ language = "" }) => language.trim() !== "");
  if (found?.language === undefined) return { language: GENERAL, origin: "none was named" };
  return { language: found.language.trim().toLowerCase(), origin: found.origin };
}

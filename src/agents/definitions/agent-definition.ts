/** An agent by name: which program runs it, and the prompt before its task. */
export interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly adapter: string;
  readonly command: readonly string[];
  readonly model: string | undefined;
  readonly isolation: "worktree" | "sandbox" | undefined;
  /** The text below the front matter. */
  readonly instructions: string;
  /** Relative to the project; empty for a built-in one. */
  readonly file: string;
  readonly source?: string;
  /** The tools it may use, in the words of its own program; absent if it may use all. */
  readonly tools?: readonly string[];
}

/** Whether one field of a definition takes effect. */
export interface FieldUse {
  readonly field: string;
  readonly honoured: boolean;
  /** How, or why not. */
  readonly why: string;
}

/** One file of a definitions folder, usable or not. */
export interface ListedDefinition {
  readonly name: string;
  /** `ambit` or `built-in`, otherwise the program whose folder the file is in. */
  readonly source: string;
  readonly file: string;
  /** Undefined if the file cannot be used; `problem` says why. */
  readonly definition: AgentDefinition | undefined;
  readonly problem: string | undefined;
  readonly fields: readonly FieldUse[];
  /** Irregularities of the file that did not stop it from being read. */
  readonly notes: readonly string[];
  /** The file of the same name that takes precedence. */
  readonly shadowedBy: string | undefined;
}

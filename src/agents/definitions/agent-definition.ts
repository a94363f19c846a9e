/** The tool whose folder a definition lies in; a built-in one lies nowhere. */
export type DefinitionSource = "ambit" | "claude" | "codex" | "gemini" | "opencode" | "built-in";

/** An agent by name: how it is driven, and what it is told before its task. */
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
  readonly source?: DefinitionSource;
  /** The tools it may use, in the words of its own program; absent where it may use all. */
  readonly tools?: readonly string[];
}

/** What becomes of one field of a definition. */
export interface FieldUse {
  readonly field: string;
  readonly honoured: boolean;
  /** How, or why not. */
  readonly why: string;
}

/** One file of a definitions folder, usable or not. */
export interface ListedDefinition {
  readonly name: string;
  readonly source: DefinitionSource;
  readonly file: string;
  /** Undefined when the file cannot be used; `problem` says why. */
  readonly definition: AgentDefinition | undefined;
  readonly problem: string | undefined;
  readonly fields: readonly FieldUse[];
  /** What is unusual about the file and was dealt with. */
  readonly notes: readonly string[];
  /** The file of the same name that goes first. */
  readonly shadowedBy: string | undefined;
}

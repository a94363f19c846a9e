import type { CommandRouting } from "../../routing/route-command.ts";

/** A workflow command as its file describes it. */
export interface CommandDefinition {
  readonly name: string;
  readonly description: string;
  readonly routing: CommandRouting;
  readonly timeoutSeconds: number | undefined;
  /** The text below the front matter, for the agent. */
  readonly instructions: string;
  /** Relative to the project; empty for a built-in one. */
  readonly file: string;
}

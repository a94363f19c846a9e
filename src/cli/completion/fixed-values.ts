import { builtInAgents } from "../../agents/agent-programs.ts";
import { commands } from "../commands.ts";
import { shells } from "./shells.ts";
import type { Candidate } from "./candidate.ts";
import type { ValueKind } from "./value-kinds.ts";

const plain = (values: readonly string[]): readonly Candidate[] =>
  values.map((value) => ({ value, about: "" }));

export const commandCandidates: readonly Candidate[] = commands.map(({ name, summary }) => ({
  value: name,
  about: summary,
}));

/** What is the same everywhere. */
export const fixedValues: Readonly<Partial<Record<ValueKind, readonly Candidate[]>>> = {
  shells: plain(shells),
  isolations: plain(["worktree", "sandbox"]),
  clients: plain([...builtInAgents, "cursor", "vscode"]),
  "help topics": [
    ...plain(["exit-codes", "limits", "contract", "env", "troubleshooting"]),
    ...commandCandidates,
  ],
};

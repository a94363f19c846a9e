import { runCommand } from "../../base/run-command.ts";
import { workspaceErrors } from "../../errors/workspace.ts";
import type { NewCommit } from "../merge/create-commit-object.ts";
import type { Repository } from "../git/repository.ts";

/** The limit leaves time for a person to type a passphrase. */
const SIGNING_TIMEOUT_MS = 300_000;

/** The variables that name the person, and with which signing programs find keys, agents and the terminal. */
const passedNames: readonly string[] = (
  "PATH HOME USER LOGNAME LANG LC_ALL TERM GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL " +
  "GNUPGHOME GPG_TTY GPG_AGENT_INFO SSH_AUTH_SOCK XDG_RUNTIME_DIR XDG_CONFIG_HOME DISPLAY WAYLAND_DISPLAY " +
  "DBUS_SESSION_BUS_ADDRESS"
).split(" ");

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates a commit as the person's own git does with `--gpg-sign`: by them, with their key and the program of their
 * settings. Only for a person who asked for it, because it runs that program.
 */
export async function createSignedCommit(
  { workTree }: Repository,
  { tree, parents, message }: Pick<NewCommit, "message" | "parents" | "tree">,
  environment: Environment,
): Promise<string> {
  const passed = passedNames.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const { exitCode, stdout, stderr } = await runCommand({
    argv: ["git", "commit-tree", "--gpg-sign", ...parents.flatMap((parent) => ["-p", parent]), tree],
    cwd: workTree,
    environment: Object.fromEntries(passed),
    timeoutMs: SIGNING_TIMEOUT_MS,
    stdin: message.replaceAll("\0", ""),
  });
  if (exitCode === 0) return stdout.toString("utf8").trim();
  throw workspaceErrors.notSigned(stderr.toString("utf8").trim().slice(-500));
}

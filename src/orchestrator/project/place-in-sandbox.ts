import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { resolveLinks } from "../../base/files.ts";
import type { Cover } from "../../containment/contained-process.ts";
import { probeContainment } from "../../containment/probe-containment.ts";
import { probeSandbox } from "../../containment/probe-sandbox.ts";
import { buildSandboxCommand, chooseLaunchTier } from "../../containment/sandbox-command.ts";
import { COVER_MARK } from "../../project/covered-state.ts";
import type { SandboxPlaces } from "../../workspace/worktree.ts";
import type { PlacedCommand, PlaceOptions } from "../ports/work-place.ts";
import { agentInstallation, listInstalled } from "./agent-installation.ts";

/** Puts a command into a sandbox: the one builder for workers, their checks and their setup. */
export async function placeInSandbox(
  places: SandboxPlaces & { readonly path: string },
  command: PlacedCommand,
  { network, readable, forwarding, programs = [] }: PlaceOptions,
): Promise<PlacedCommand> {
  const { tier, tools } = await probeSandbox();
  const { path, writable, home, temporary } = places;
  const installed = agentInstallation(command.argv);
  const built = buildSandboxCommand({
    tier,
    tools,
    argv: installed.argv,
    cwd: path,
    writable,
    readOnly: [
      ...places.readOnly,
      ...listProgramFolders(),
      ...installed.readable,
      ...programs.flatMap(listInstalled),
      ...readable,
    ],
    home,
    temporary,
    environment: command.environment,
    network,
    forwarding,
    cover: coverOwnState(path),
  });
  return { ...built, tier: chooseLaunchTier(await probeContainment()) };
}

/** A clone is a repository of its own, and a process in it must not take itself for that repository's person. */
function coverOwnState(path: string): Pick<Cover, "folder" | "mark"> | undefined {
  const own = join(path, ".git");
  const isClone = lstatSync(own, { throwIfNoEntry: false })?.isDirectory() === true;
  return isClone ? { folder: join(own, "ambit"), mark: COVER_MARK } : undefined;
}

/** The folders of Ambit's own program, for the built-in worker, and of Node if it is not in a system folder. */
function listProgramFolders(): readonly string[] {
  const program = process.argv[1] ?? "/";
  const own = [program, resolveLinks(program)].map((file) => dirname(file));
  const node = dirname(dirname(process.execPath));
  return [...new Set([...own, node])].filter(
    (folder) => folder.startsWith("/") && folder !== "/" && folder !== "/usr",
  );
}

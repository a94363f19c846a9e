import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { readErrorMessage } from "../../../src/base/delegation-error.ts";
import { probeSandbox } from "../../../src/containment/probe-sandbox.ts";
import { importSandboxWork } from "../../../src/workspace/import-sandbox-work.ts";
import { importWork } from "../../../src/workspace/import-work.ts";
import { listOrphans, type Orphan } from "../../../src/workspace/orphans.ts";
import { removeOrphan } from "../../../src/workspace/remove-orphan.ts";
import { emptyTrash, releaseWorkspace } from "../../../src/workspace/remove.ts";
import { openSandboxClone, removeSandboxClone } from "../../../src/workspace/sandbox-clone.ts";
import type { World } from "./world.ts";

/** As a runtime does after a crash: save what is left, then put it away. */
export async function recover(world: World): Promise<void> {
  const { repository, stateDirectory } = world.project;
  const settings = { repository, stateDirectory };
  const owners = { live: new Set<string>(), known: world.ids };
  // Git processes that outlived their caller may still be at it; a few rounds see their end.
  for (let round = 0; round < 20; round += 1) {
    const orphans = (await listOrphans(settings, owners)).filter((orphan) => isRecovered(world, orphan));
    if (orphans.length === 0) break;
    for (const orphan of orphans) await settle(world, orphan);
    await delay(round * 20);
  }
  await emptyTrash(stateDirectory);
}

/** The planted fault: a recovery that does not know of half-made checkouts. */
function isRecovered({ planted }: World, orphan: Orphan): boolean {
  return planted !== "orphans" || orphan.kind !== "half-made";
}

async function settle(world: World, orphan: Orphan): Promise<void> {
  const { repository, stateDirectory } = world.project;
  const settings = { repository, stateDirectory };
  try {
    if (orphan.kind === "workspace") await settleWorkspace(world, orphan);
    else if (orphan.kind === "sandbox") await settleSandbox(world, orphan);
    else await removeOrphan(settings, orphan);
  } catch (error) {
    world.problems.push(`recovering ${JSON.stringify(orphan)}: ${readErrorMessage(error)}`);
  }
}

interface Left {
  readonly id: string;
  readonly path: string;
}

async function settleWorkspace(world: World, { id, path }: Left): Promise<void> {
  const { repository, stateDirectory } = world.project;
  const settings = { repository, stateDirectory };
  // Killed while it was released: everything had been saved by then, which the release checks again.
  if (existsSync(path)) await importWork(settings, { id, message: `Recovered work of ${id}\n` });
  const released = await releaseWorkspace(settings, { id, path });
  if (released.status === "released") world.recovered += 1;
  else world.problems.push(`${id} was not released: ${released.code} ${released.reason}`);
}

async function settleSandbox(world: World, { id, path }: Left): Promise<void> {
  const { repository, stateDirectory } = world.project;
  const settings = { repository, stateDirectory };
  const clone = await openSandboxClone(settings, id);
  if (clone === undefined) {
    await removeOrphan(settings, { kind: "sandbox", id, path });
    return;
  }
  const message = `Recovered work of ${id}\n`;
  await importSandboxWork({ ...settings, clone, sandbox: await probeSandbox(), message });
  await removeSandboxClone(settings, id);
  world.recovered += 1;
}

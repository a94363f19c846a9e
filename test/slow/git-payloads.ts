/**
 * Files that make git run a program, planted by a worker: npm run test:payloads -- --rounds 1
 * Each payload is planted in a fresh repository; then everything the runtime does with a workspace is done: snapshot,
 * creation, import, diff, release, pool. Fails when anything ran, or when the same payload does not run under an
 * ordinary git command (then the test would prove nothing).
 */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readErrorMessage } from "../../src/base/delegation-error.ts";
import { importWork } from "../../src/workspace/import-work.ts";
import { listOrphans } from "../../src/workspace/orphans.ts";
import { WorkspacePool } from "../../src/workspace/pool.ts";
import { checkRepository } from "../../src/workspace/preflight.ts";
import { emptyTrash, releaseWorkspace } from "../../src/workspace/remove.ts";
import { checkScope } from "../../src/workspace/scope.ts";
import { takeSnapshot, userCheckout } from "../../src/workspace/snapshot.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/worktree.ts";
import { makeRepository, type TemporaryRepository } from "../workspace/temporary-repository.ts";
import type { Payload, Stage } from "./git/payload.ts";
import { payloads } from "./git/payloads.ts";

const ID = "US-1-DEL-001";

interface Row {
  readonly name: string;
  readonly ranUnderUs: boolean;
  readonly ranUnderControl: boolean;
  /** Steps that refused; a hostile repository may well be refused, but it must say why. */
  readonly refused: readonly string[];
}

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "1" }, only: { type: "string" } },
});
process.exitCode = await run(Number(values.rounds), values.only);

async function run(rounds: number, only: string | undefined): Promise<number> {
  const chosen = payloads.filter(({ name }) => only === undefined || name.includes(only));
  const rows: Row[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const payload of chosen) rows.push(await tryPayload(payload));
  }
  const ran = rows.filter(({ ranUnderUs }) => ranUnderUs);
  const silent = rows.filter(({ ranUnderControl }) => !ranUnderControl);
  for (const { name, ranUnderUs, ranUnderControl, refused } of rows) {
    const verdict = ranUnderUs ? "RAN" : "nothing ran";
    const control = ranUnderControl ? "control fired" : "CONTROL SILENT";
    process.stdout.write(
      `${name}: ${verdict}; ${control}${refused.map((text) => `\n    ${text}`).join("")}\n`,
    );
  }
  process.stdout.write(
    `payloads ${rows.length}, executed ${ran.length}, controls that did not fire ${silent.length}\n`,
  );
  return ran.length === 0 && silent.length === 0 && rows.length > 0 ? 0 : 1;
}

async function tryPayload(payload: Payload): Promise<Row> {
  const defended = await onStage(payload, "defended", async (stage, workspace) => {
    const poison = payload.environment?.(stage) ?? {};
    Object.assign(process.env, poison);
    try {
      return await doEverything(stage.project, workspace);
    } finally {
      for (const name of Object.keys(poison)) delete process.env[name];
    }
  });
  const control = await onStage(payload, "control", (stage) => {
    payload.control(stage);
    return Promise.resolve([]);
  });
  return {
    name: payload.name,
    ranUnderUs: defended.ran,
    ranUnderControl: control.ran,
    refused: defended.refused,
  };
}

type Act = (stage: Stage, workspace: Workspace) => Promise<readonly string[]>;

async function onStage(
  payload: Payload,
  label: string,
  act: Act,
): Promise<{ ran: boolean; refused: readonly string[] }> {
  const project = await makeRepository({ "src/a.txt": "a\n", "src/b.txt": "b\n", "package.json": "{}\n" });
  try {
    const { repository, stateDirectory, root } = project;
    const base = project.git("rev-parse", "HEAD").trim();
    const workspace = await createWorkspace({ repository, stateDirectory }, { id: ID, base });
    const lair = join(root, "..", "lair");
    mkdirSync(lair);
    const marker = join(lair, `ran-${label}`);
    const stage: Stage = {
      project,
      path: workspace.path,
      commonDirectory: repository.commonDirectory,
      adminDirectory: join(repository.commonDirectory, "worktrees", ID),
      fire: `touch ${marker}`,
      lair,
    };
    payload.plant(stage);
    // Planting may have fired the payload itself, as the worker's own commands do.
    rmSync(marker, { force: true });
    const refused = await act(stage, workspace);
    return { ran: existsSync(marker), refused };
  } finally {
    project.remove();
  }
}

/** The whole life of a workspace around the hostile one. Steps may refuse; none may run anything. */
async function doEverything(project: TemporaryRepository, workspace: Workspace): Promise<readonly string[]> {
  const { repository, stateDirectory, root, home } = project;
  const refused: string[] = [];
  const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      refused.push(`${name}: ${readErrorMessage(error).split("\n").slice(0, 2).join(" ")}`);
      return undefined;
    }
  };
  const settings = { repository, stateDirectory };
  const host = { searchPath: process.env["PATH"] ?? "", home };
  await step("preflight", () => checkRepository({ directory: root, host, stateDirectory }));
  await step("snapshot of the user", () =>
    takeSnapshot({ ...settings, id: "US-2-DEL-001", checkout: userCheckout(repository) }),
  );
  const imported = await step("import", () => importWork(settings, { id: ID, message: "Work\n" }));
  if (imported !== undefined) {
    const { base, tip } = imported;
    await step("diff", () => checkScope(repository, { base, tip, fileScope: ["src/**"], agentSettings: [] }));
    await step("workspace from the work", () => createWorkspace(settings, { id: "US-2-DEL-003", base: tip }));
    await step("pool", () => usePool(project, tip));
  }
  await step("release", () =>
    releaseWorkspace(settings, { id: ID, path: workspace.path, discardUnsaved: true }),
  );
  await step("orphans", () => listOrphans(settings, { live: new Set(), known: new Set() }));
  await step("trash", () => emptyTrash(stateDirectory));
  return refused;
}

async function usePool(project: TemporaryRepository, tip: string): Promise<void> {
  const { repository, stateDirectory } = project;
  const pool = new WorkspacePool({ repository, stateDirectory, size: 1 });
  pool.aimAtCommit(tip);
  await pool.settled();
  const taken = await pool.takeWorkspace({ id: "US-2-DEL-004", base: tip });
  await importWork({ repository, stateDirectory }, { id: taken.id, message: "Work\n" });
  await pool.giveBack({ id: taken.id, path: taken.path });
  await pool.settled();
  await pool.close();
}

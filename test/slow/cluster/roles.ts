/** The processes of a run that are not the built command: the coordinator, and worker machines without a defence. */
import { joinAsWorker, readMembership } from "../../../src/journal/cluster.ts";
import { storeFile } from "../../../src/journal/store-file.ts";
import { asProjectOwner } from "../../../src/supervisor/project-lock.ts";
import { openProjectRuntime } from "../../../src/supervisor/project-runtime.ts";
import { runWorker } from "../../../src/supervisor/run-worker.ts";
import { cli } from "../../e2e/run-cli.ts";
import { namePart, PARTS } from "./make-project.ts";
import { type Defence, weakenCoordinator, weakenWorker } from "./defences.ts";

const programs = {
  version: "0",
  workerProgram: [process.execPath, cli, "__worker"],
  program: [process.execPath, cli],
};

export interface CoordinatorOrder {
  readonly root: string;
  readonly project: string;
  /** How many delegations are open at once. */
  readonly stories: number;
  /** Opens no more stories after this time. */
  readonly untilMs: number;
  readonly without?: Defence | undefined;
}

/** Keeps stories open until the time is over, then waits for the last one. It can be killed and started again. */
export async function coordinate(order: CoordinatorOrder): Promise<void> {
  const { root, untilMs, without } = order;
  await asProjectOwner({ projectRoot: root, version: "0" }, async () => {
    const runtime = await openProjectRuntime({
      ...programs,
      projectRoot: root,
      environment: process.env,
      onQuiet: () => undefined,
      onShutdown: () => process.exit(3),
      adaptTools: (tools) => weakenCoordinator(without, tools),
      log: (line) => void process.stderr.write(`${line}\n`),
    });
    const { engine } = runtime;
    const { store } = engine.tools;
    const all = await store.openStories(10_000);
    const lane = async (first: string | undefined): Promise<void> => {
      if (first !== undefined) await engine.whenEnded(first);
      else await engine.whenEnded(await openNext());
      while (Date.now() < untilMs) await engine.whenEnded(await openNext());
    };
    let number = 0;
    const openNext = async (): Promise<string> => {
      for (;;) {
        number += 1;
        const id = `S${number}`;
        if ((await store.delegation(id)) === undefined)
          return engine.openStory({ id, title: `Make story-${id}`, agent: "lead", criteria: criteriaOf(id) });
      }
    };
    const lanes = Math.max(order.stories, all.length);
    await Promise.all(Array.from({ length: lanes }, (_, index) => lane(all[index])));
    await runtime.close();
  });
}

function criteriaOf(story: string): readonly string[] {
  return Array.from({ length: PARTS }, (_, index) => `file parts/${namePart(story, index + 1)} exists`);
}

export interface WorkerOrder {
  readonly root: string;
  readonly name: string;
  readonly slots: number;
  readonly without?: Defence | undefined;
}

/** `ambit worker` with a defence taken out. */
export async function work({ root, name, slots, without }: WorkerOrder): Promise<void> {
  const file = storeFile(root);
  const project = readMembership(file)?.project ?? process.env["CHAOS_PROJECT"] ?? "";
  const { machine } = await joinAsWorker({ file, project, environment: process.env });
  await runWorker({
    ...programs,
    projectRoot: root,
    environment: process.env,
    name,
    machine,
    slots,
    pools: ["default"],
    trustsAgents: true,
    drainMs: 3_600_000,
    isOnce: false,
    log: (line) => void process.stderr.write(`${line}\n`),
    ...(without === "self-fence" ? { neverFences: true } : {}),
    adaptTools: (tools) => weakenWorker(without, tools),
  });
}

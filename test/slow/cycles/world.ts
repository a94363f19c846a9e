import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { makeRepository, type TemporaryRepository } from "../../workspace/temporary-repository.ts";
import { createRandom, type Random } from "../random.ts";
import { User } from "./user.ts";

/** Ways in which the run is spoilt on purpose; each must be noticed. */
export const breaks = ["user", "commits", "orphans"] as const;
export type Break = (typeof breaks)[number];

export interface World {
  readonly project: TemporaryRepository;
  readonly twin: string;
  readonly commitLog: string;
  readonly random: Random;
  readonly user: User;
  readonly ids: Set<string>;
  readonly problems: string[];
  readonly planted: Break | undefined;
  killed: number;
  recovered: number;
  /** How long an undisturbed cycle of each kind takes, so that kills fall on all of its moments. */
  readonly usualMs: Map<string, number>;
}

export async function makeWorld(seed: number, planted: Break | undefined): Promise<World> {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`src/file-${index}.txt`, `${index}\n`]),
  );
  const project = await makeRepository({ ...files, ".gitignore": "*.log\nnode_modules/\n" });
  project.write("node_modules/left/index.js", "original\n");
  // Git shortens ids by how many objects there are, and a stash has a short id in its message.
  project.git("config", "--global", "core.abbrev", "12");
  const remote = join(project.root, "../remote.git");
  project.git("clone", "-q", "--bare", project.root, remote);
  project.git("remote", "add", "origin", remote);
  project.git("fetch", "-q", "origin");
  const twin = join(project.root, "../twin");
  cpSync(project.root, twin, { recursive: true, preserveTimestamps: true });
  mkdirSync(project.stateDirectory, { recursive: true });
  const commitLog = join(project.root, "../commits");
  writeFileSync(commitLog, "");
  return {
    project,
    twin,
    commitLog,
    random: createRandom(seed),
    user: new User([project.root, twin], project.home, createRandom(seed + 7)),
    ids: new Set(),
    problems: [],
    planted,
    killed: 0,
    recovered: 0,
    usualMs: new Map(),
  };
}

/** Commits whose makers were told that they are there. */
export function promised(world: World): readonly string[] {
  return readFileSync(world.commitLog, "utf8").split("\n").filter(Boolean);
}

export function keepUserBusy(world: World): { stop: () => Promise<void> } {
  const over = new AbortController();
  const loop = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await world.user.act();
      await delay(30);
    }
  };
  const running = loop();
  return {
    stop: async () => {
      over.abort();
      await running;
    },
  };
}

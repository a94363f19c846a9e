import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { listOrphans } from "../../../src/workspace/orphans.ts";
import { describeUser } from "./compare.ts";
import { promised, type World } from "./world.ts";

/** All that was promised: the user's things untouched, every commit kept, nothing left behind. */
export async function check(world: World): Promise<void> {
  const { problems } = world;
  problems.push(...(await orphansOf(world)));
  problems.push(...world.user.failures.slice(0, 5), ...differences(world));
  problems.push(...lostCommits(world), ...leftovers(world));
  world.project.git("fsck", "--connectivity-only", "--no-dangling");
}

async function orphansOf(world: World): Promise<readonly string[]> {
  const { repository, stateDirectory } = world.project;
  const owners = { live: new Set<string>(), known: world.ids };
  const left = await listOrphans({ repository, stateDirectory }, owners);
  return left.map((orphan) => `orphan: ${JSON.stringify(orphan)}`);
}

function differences({ project, twin }: World): readonly string[] {
  const mine = describeUser(project.root, project.home).replaceAll(project.root, "<root>").split("\n");
  const theirs = describeUser(twin, project.home).replaceAll(twin, "<root>").split("\n");
  const differing = [
    ...mine.filter((line) => !theirs.includes(line)),
    ...theirs.filter((line) => !mine.includes(line)),
  ];
  return differing.slice(0, 10).map((line) => `differs: ${line}`);
}

function lostCommits(world: World): readonly string[] {
  const reachable = new Set(world.project.git("rev-list", "--branches", "--glob=refs/ambit").split("\n"));
  const lost = promised(world).filter((commit) => !reachable.has(commit));
  return lost.map((commit) => `commit ${commit} is not reachable`);
}

/** Looked for by other means than those under test. */
function leftovers({ project }: World): readonly string[] {
  const listed = project.git("worktree", "list", "--porcelain").split("\n\n").filter(Boolean);
  const others = listed.filter((text) => !text.includes("/workspaces/slot-")).length;
  const folders = ["git", "staging", "sandboxes", "trash"].map((name) => join(project.stateDirectory, name));
  const full = folders.filter((folder) => existsSync(folder) && readdirSync(folder).length > 0);
  const names = readdirSync(join(project.stateDirectory, "workspaces"));
  const strange = names.filter((name) => !name.startsWith("slot-"));
  return [
    ...(others === 1 ? [] : [`${others} worktrees that are no pool slots`]),
    ...full.map((folder) => `left in ${folder}: ${readdirSync(folder).slice(0, 5).join(", ")}`),
    ...strange.map((name) => `left workspace ${name}`),
  ];
}

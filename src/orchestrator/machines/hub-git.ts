import { DelegationError } from "../../base/delegation-error.ts";
import type { Hub } from "../../workspace/hub.ts";
import type { OpenGitTools } from "../project/create-git-tools.ts";
import type { WorkPlace } from "../ports/work-place.ts";

export interface HubRole {
  readonly hub: Hub;
  /** Set on a worker machine: branches are those of the hub, and earlier branches on this machine do not count. */
  readonly isWorker: boolean;
  /** Set on a worker machine: every agent has a sandbox, whatever the story says. */
  readonly sandboxesAll?: boolean;
}

/**
 * The git of a machine in a cluster: missing commits are brought from the hub first, and branches that move are pushed.
 */
export function withHub(git: OpenGitTools, role: HubRole): OpenGitTools {
  const { hub, isWorker } = role;
  const bring = (...commits: readonly (string | undefined)[]): Promise<void> =>
    hub.bring(...commits.filter((commit) => commit !== undefined));
  return {
    ...git,
    ...(isWorker ? { readBranch: (ref: string) => hub.readRef(ref) } : {}),
    findPlace: async (delegation) => {
      const place = await findPlaceHere(() => git.findPlace(delegation));
      return place === undefined ? undefined : withBringing(place, bring);
    },
    makePlace: async (request) => {
      await bring(request.base);
      if (isWorker) await hub.clearWork(request.id);
      const place = await git.makePlace(
        role.sandboxesAll === true ? { ...request, isolation: "sandbox" } : request,
      );
      return withBringing(place, bring);
    },
    contains: (commit, ancestor) => bring(commit, ancestor).then(() => git.contains(commit, ancestor)),
    merge: (ours, theirs, mergeBase) =>
      bring(ours, theirs, mergeBase).then(() => git.merge(ours, theirs, mergeBase)),
    commit: (request) => bring(...request.parents).then(() => git.commit(request)),
    treeOf: (commit) => bring(commit).then(() => git.treeOf(commit)),
    checkOut: (request) => bring(request.commit).then(() => git.checkOut(request)),
    judgeScope: (question) => bring(question.base, question.tip).then(() => git.judgeScope(question)),
    findMarkers: (commit, paths) => bring(commit).then(() => git.findMarkers(commit, paths)),
    readFile: (commit, path) => bring(commit).then(() => git.readFile(commit, path)),
    probeFiles: (commit, paths) => bring(commit).then(() => git.probeFiles(commit, paths)),
    moveBranch: async (move) => {
      await bring(move.to);
      const moved = await git.moveBranch(move);
      // Workers on other machines start from this commit; the journal names it next.
      if (moved === "moved" || moved === "already") await hub.push([{ ref: move.ref, commit: move.to }]);
      return moved;
    },
  };
}

/** Another machine may have kept the commit from which an attempt continues. */
function withBringing(place: WorkPlace, bring: (...commits: readonly string[]) => Promise<void>): WorkPlace {
  return {
    ...place,
    advance: (commit) => bring(commit).then(() => place.advance(commit)),
    showMerge: (parents, tree) => bring(...parents).then(() => place.showMerge(parents, tree)),
  };
}

/** A workspace that the journal knows may be on another machine. */
async function findPlaceHere(find: () => Promise<WorkPlace | undefined>): Promise<WorkPlace | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof DelegationError && error.code === "WORKSPACE_GONE") return undefined;
    throw error;
  }
}

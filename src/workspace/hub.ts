import { setTimeout as delay } from "node:timers/promises";
import { DelegationError } from "../base/delegation-error.ts";
import { randomBase36 } from "../base/ids.ts";
import { clusterErrors } from "../errors/cluster.ts";
import { listExistingCommits } from "./capture/worker-commits.ts";
import { isObjectId, readRefCommit } from "./git/read-head.ts";
import { baseRefName, findRefOwner, keptRefName, workerBranchRef, workRefName } from "./git/ref-names.ts";
import { changeRefs } from "./git/refs.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { type GitAnswer, runGit } from "./git/run-git.ts";

export interface HubOptions {
  readonly url: string;
  readonly repository: Repository;
  /** SSH_AUTH_SOCK, if set. */
  readonly sshAgent?: string | undefined;
  /** How long to wait for a hub that cannot be reached. */
  readonly patienceMs?: number;
}

/** A commit and the ref that keeps it at the hub. */
export interface PushedRef {
  readonly ref: string;
  readonly commit: string;
}

/** Other protocols, such as `ext::`, would run a program. */
const PROTOCOLS = "https:http:ssh:git:file";
/** The first commit of the project that the hub is for. */
const PROJECT_REF = "refs/ambit/project";
const CALL_MS = 120_000;
const PATIENCE_MS = 300_000;
const MAX_PAUSE_MS = 5000;
/** What is forgotten here is pushed or asked for once more. */
const MAX_KNOWN = 10_000;

/**
 * The git repository through which the machines of a cluster exchange code. Commits are taken by id, never by the value
 * of a ref.
 */
export class Hub {
  readonly #options: HubOptions;
  /** The commits that the hub is known to have, by ref. */
  readonly #pushed = new Map<string, string>();
  /** Commits that were pushed there or came from there. */
  readonly #known = new Set<string>();

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /**
   * Refuses a hub that cannot be used, to which this machine cannot push, or that belongs to a project with another first
   * commit. The first machine leaves that commit there.
   */
  async check(project: string): Promise<void> {
    try {
      const known = (await this.#readProject()) ?? (await this.#leaveProject(project));
      if (known !== undefined && known !== project)
        throw clusterErrors.hubOfAnother(hideLogin(this.#options.url));
      if (known !== undefined) await this.#checkPush(project);
    } catch (error) {
      if (error instanceof DelegationError && error.code === "CLUSTER_HUB_UNREACHABLE") throw error;
      throw this.#explain(error);
    }
  }

  async #readProject(): Promise<string | undefined> {
    return readRemoteRef(await this.#call(["ls-remote", "--quiet", this.#options.url, PROJECT_REF]));
  }

  /** Returns the commit that another machine has left there in the meantime. */
  async #leaveProject(project: string): Promise<string | undefined> {
    if (!isObjectId(project)) return undefined;
    try {
      await this.#call(["push", "--quiet", this.#options.url, `${project}:${PROJECT_REF}`]);
      return undefined;
    } catch (error) {
      const known = await this.#readProject();
      if (known === undefined) throw error;
      return known;
    }
  }

  /**
   * Tries a push early, because later a failing push would be repeated for minutes in silence. This push leaves nothing
   * there.
   */
  async #checkPush(project: string): Promise<void> {
    const ref = `refs/ambit/check/${randomBase36(8)}`;
    await this.#call(["push", "--quiet", this.#options.url, `${project}:${ref}`]);
    await this.#call(["push", "--quiet", this.#options.url, `:${ref}`]);
  }

  /** Whether the hub is known to have a commit, under whatever ref. */
  has(commit: string): boolean {
    return this.#known.has(commit);
  }

  /** After this the hub has these commits, whatever happens to this machine. */
  async push(refs: readonly PushedRef[]): Promise<void> {
    const news = refs.filter(({ ref, commit }) => this.#pushed.get(ref) !== commit);
    if (news.length === 0) return;
    const words = news.map(({ ref, commit }) => `+${commit}:${ref}`);
    await this.#repeat(["push", "--quiet", "--no-recurse-submodules", this.#options.url, ...words]);
    for (const { ref, commit } of news) this.#pushed.set(ref, commit);
    this.#remember(news.map(({ commit }) => commit));
  }

  /** Brings the commits that this machine does not have. */
  async bring(...commits: readonly string[]): Promise<void> {
    const wanted = [...new Set(commits)].filter(isObjectId);
    const here = new Set(await listExistingCommits(this.#options.repository, wanted));
    const missing = wanted.filter((commit) => !here.has(commit));
    if (missing.length === 0) return;
    await this.#repeat([
      "-c",
      "fetch.fsckObjects=true",
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-write-fetch-head",
      "--no-recurse-submodules",
      "--no-auto-maintenance",
      this.#options.url,
      ...missing,
    ]);
    this.#remember(missing);
  }

  /** Brings the work of a delegation under the refs that it has on the machine where it ran. */
  async bringWork(id: string, { tip, base }: { readonly tip: string; readonly base: string }): Promise<void> {
    await this.bring(tip, base);
    await changeRefs(this.#options.repository, [
      { ref: workerBranchRef(id), to: tip },
      { ref: baseRefName(id), to: base },
      { ref: workRefName(id), to: tip },
    ]);
  }

  /**
   * For a machine that had an earlier attempt: removes its refs, and keeps commits that only they hold under another ref.
   */
  async clearWork(id: string): Promise<void> {
    const { repository } = this.#options;
    const tip = await readRefCommit(repository, workRefName(id));
    const names = [workerBranchRef(id), baseRefName(id), workRefName(id)];
    if (tip !== undefined) await changeRefs(repository, [{ ref: keptRefName(id, tip), to: tip }]);
    for (const ref of names)
      if ((await readRefCommit(repository, ref)) !== undefined)
        await changeRefs(repository, [{ ref, to: undefined }]);
  }

  /** The commit of a ref at the hub, brought here; null if there is none. */
  async readRef(ref: string): Promise<string | null> {
    const answer = await this.#repeat(["ls-remote", "--quiet", this.#options.url, ref]);
    const commit = readRemoteRef(answer, ref);
    if (commit === undefined) return null;
    await this.bring(commit);
    this.#remember([commit]);
    return commit;
  }

  /** The stories and delegations of which the hub keeps refs. */
  async listOwners(): Promise<ReadonlySet<string>> {
    return new Set((await this.#patiently(() => this.#listRefs())).map(findHubOwner));
  }

  async #listRefs(): Promise<readonly string[]> {
    const patterns = ["refs/ambit/*", "refs/heads/ambit/*"];
    const { stdout } = await this.#call(["ls-remote", "--quiet", this.#options.url, ...patterns]);
    const lines = stdout.toString("utf8").split("\n");
    return lines.flatMap((line) => line.split("\t")[1] ?? []);
  }

  /** Removes the refs that the hub keeps of delegations that have ended. Another machine may remove the same ones. */
  forget(isEnded: (id: string) => boolean): Promise<void> {
    return this.#patiently(async () => {
      const names = (await this.#listRefs()).filter((ref) => isEnded(findHubOwner(ref)));
      if (names.length === 0) return;
      for (const name of names) this.#pushed.delete(name);
      this.#known.clear();
      await this.#call(["push", "--quiet", this.#options.url, ...names.map((name) => `:${name}`)]);
    });
  }

  #remember(commits: readonly string[]): void {
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    for (const commit of commits) this.#known.add(commit);
  }

  #repeat(words: readonly string[]): Promise<GitAnswer> {
    return this.#patiently(() => this.#call(words));
  }

  /** An unreachable hub comes back: nothing is published before it has the commits. */
  async #patiently<Result>(step: () => Promise<Result>): Promise<Result> {
    const giveUpAt = performance.now() + (this.#options.patienceMs ?? PATIENCE_MS);
    for (let pause = 100; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      try {
        return await step();
      } catch (error) {
        if (performance.now() > giveUpAt) throw this.#explain(error);
      }
      await delay(pause);
    }
  }

  #call(words: readonly string[]): Promise<GitAnswer> {
    const { repository, sshAgent } = this.#options;
    const { home } = repository.host;
    return runGit({
      place: getRefPlace(repository),
      arguments: words,
      environment: {
        HOME: home,
        GIT_ALLOW_PROTOCOL: PROTOCOLS,
        // Git uses the machine's own logins; no person can answer a question.
        GIT_CONFIG_GLOBAL: `${home}/.gitconfig`,
        GIT_SSH_COMMAND: "ssh -o BatchMode=yes -o ClearAllForwardings=yes -o ForwardAgent=no",
        ...(sshAgent === undefined ? {} : { SSH_AUTH_SOCK: sshAgent }),
      },
      timeoutMs: CALL_MS,
    });
  }

  #explain(error: unknown): DelegationError {
    const lines = error instanceof DelegationError ? error.message.split("\n") : [];
    const isRefused = lines.some((line) => line.includes("[remote rejected]"));
    const reason =
      lines.find((line) => line.startsWith("fatal: "))?.slice("fatal: ".length) ??
      (isRefused ? "it refuses what this machine pushes" : "git failed");
    return clusterErrors.hubUnreachable(hideLogin(this.#options.url), reason.replace(/\.$/, ""), error);
  }
}

function readRemoteRef({ stdout }: GitAnswer, ref = PROJECT_REF): string | undefined {
  const lines = stdout.toString("utf8").split("\n");
  const commit = lines.find((one) => one.endsWith(`\t${ref}`))?.split("\t")[0] ?? "";
  return isObjectId(commit) ? commit : undefined;
}

/** `refs/heads/ambit/<story>` and `refs/ambit/<kind>/<id>`. */
function findHubOwner(ref: string): string {
  return ref.startsWith("refs/heads/") ? (ref.split("/")[3] ?? "") : (findRefOwner(ref) ?? "");
}

function hideLogin(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/@]*@/, "$1");
}

export function nameWorkRefs(
  id: string,
  { tip, base }: { readonly tip: string; readonly base: string },
): readonly PushedRef[] {
  return [
    { ref: workRefName(id), commit: tip },
    { ref: baseRefName(id), commit: base },
  ];
}

export function nameBaseRef(id: string, commit: string): PushedRef {
  return { ref: baseRefName(id), commit };
}

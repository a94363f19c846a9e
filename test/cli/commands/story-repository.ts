import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkProof } from "../../../src/contract/work-proof.ts";
import { openStore } from "../../../src/journal/open-store.ts";
import type { Store } from "../../../src/journal/store.ts";
import { end } from "../../reports/fill-store.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { openWork } from "./filled-repository.ts";
import { removeFolder } from "../../e2e/remove-folder.ts";
import { ownStoreFile } from "../../own-store-file.ts";

export interface StoryRepository {
  readonly directory: string;
  readonly git: (...words: string[]) => string;
  /** Commits these files on top of a commit and answers the new one; nothing is checked out. */
  readonly commitOn: (parent: string, files: Readonly<Record<string, string>>) => string;
  readonly write: (path: string, text: string) => void;
  readonly withStore: (fill: (store: Store) => Promise<void>) => Promise<void>;
}

/** A repository with one commit on `main`, and real git to make work in it. */
export function storyRepository(): StoryRepository {
  const directory = temporaryFolder({ "a.txt": "one\n", ".gitignore": ".ambit/\n" });
  const git = (...words: string[]): string =>
    execFileSync("git", ["-c", "user.name=U", "-c", "user.email=u@example.org", ...words], {
      cwd: directory,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "U");
  git("config", "user.email", "u@example.org");
  git("add", "-A");
  git("commit", "--quiet", "-m", "start");
  return {
    directory,
    git,
    commitOn: (parent, files) => commitOn(git, directory, { parent, files }),
    write: (path, text) => writeFileSync(join(directory, path), text),
    withStore: async (fill) => {
      const store = openStore(ownStoreFile(directory));
      await fill(store);
      await store.close();
    },
  };
}

function commitOn(
  git: StoryRepository["git"],
  directory: string,
  work: { readonly parent: string; readonly files: Readonly<Record<string, string>> },
): string {
  const place = `${directory}-work`;
  git("worktree", "add", "--quiet", "--detach", place, work.parent);
  for (const [path, text] of Object.entries(work.files)) writeFileSync(join(place, path), text);
  git("-C", place, "add", "-A");
  git("-C", place, "commit", "--quiet", "-m", "work");
  const commit = git("-C", place, "rev-parse", "HEAD");
  git("worktree", "remove", "--force", place);
  removeFolder(place);
  return commit;
}

/** What the journal says once work began at `base` and `tip` was kept of it. */
export async function keepWork(
  store: Store,
  delegation: string,
  { base, tip, files }: { readonly base: string; readonly tip: string; readonly files: readonly string[] },
): Promise<void> {
  const story = delegation.split("-DEL-")[0] ?? delegation;
  const about = { story, delegation, attempt: 1 } as const;
  const created = { path: "gone", branch: `delegation/${delegation}`, base, durationMs: 1 };
  await store.record({ ...about, type: "workspace-created", data: created });
  await store.record({ ...about, type: "work-kept", data: { tip, base, filesChanged: [...files] } });
}

/** A completed story whose branch adds one line to `a.txt` and a new file. */
export async function completedStory(id = "S-1", proof: WorkProof = "proven"): Promise<StoryRepository> {
  const repository = storyRepository();
  const base = repository.git("rev-parse", "main");
  const tip = repository.commitOn(base, { "a.txt": "one\ntwo\n", "new.txt": "new\n" });
  repository.git("branch", `ambit/${id}`, tip);
  await repository.withStore(async (store) => {
    await openWork(store, id);
    await keepWork(store, id, { base, tip, files: ["a.txt", "new.txt"] });
    await completeAt(store, id, { commit: tip, proof });
  });
  return repository;
}

async function completeAt(
  store: Store,
  id: string,
  { commit, proof }: { readonly commit: string; readonly proof: WorkProof },
): Promise<void> {
  const about = { story: id, delegation: id, attempt: 1 } as const;
  const filesChanged = ["a.txt", "new.txt"];
  const returned = { status: "completed", summary: "Done.", artifacts: [] };
  await store.record({ ...about, type: "delegation-returned", data: returned });
  const proven = { passed: 0, failed: 0, unverified: 0, candidate: commit, onto: null, waived: [], proof };
  await store.record({ ...about, type: "delegation-verified", data: proven });
  const merged = { into: `refs/heads/ambit/${id}`, commit, filesChanged };
  await store.record({ ...about, type: "delegation-merged", data: merged });
  await end(store, id, { outcome: "completed", summary: "Done.", filesChanged });
}

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { baseLines, gitlink, names, SUBMODULE } from "./checkout-states.ts";
import { makeRepository, type TemporaryRepository } from "./temporary-repository.ts";

export interface CheckoutPlace extends TemporaryRepository {
  /** The commit that every state starts from. */
  readonly base: string;
  /** The text of `.git/config`. */
  readonly settings: string;
  /** A stash that was made once: its commit and the text of its log. */
  readonly stash: { readonly commit: string; readonly log: string };
}

export async function makeCheckout(): Promise<CheckoutPlace> {
  const files = Object.fromEntries(names.map((name) => [name, `${baseLines(name).join("\n")}\n`]));
  const project = await makeRepository({ ...files, ".gitignore": "*.log\n" });
  chmodSync(join(project.root, "run.sh"), 0o755);
  symlinkSync("a.txt", join(project.root, "pointer"));
  project.git("add", "-A");
  project.git("update-index", "--add", "--cacheinfo", gitlink(8));
  mkdirSync(join(project.root, SUBMODULE));
  project.git("commit", "-qm", "More kinds of files");
  const base = project.git("rev-parse", "HEAD").trim();
  project.write("b.txt", "stashed\n");
  project.git("stash", "push", "-q");
  const commit = project.git("rev-parse", "refs/stash").trim();
  const settings = readFileSync(join(project.root, ".git/config"), "utf8");
  return { ...project, base, settings, stash: { commit, log: readFileSync(stashLog(project), "utf8") } };
}

/** Everything as it was after `makeCheckout`; only objects stay, and our own refs if `keepsOurs`. */
export function resetCheckout(project: CheckoutPlace, { keepsOurs = false } = {}): void {
  const git = join(project.root, ".git");
  if (!keepsOurs) removeOurRefs(project);
  writeFileSync(join(git, "config"), project.settings);
  rmSync(join(git, "refs/stash"), { force: true });
  rmSync(stashLog(project), { force: true });
  for (const name of readdirSync(project.root))
    if (name !== ".git") rmSync(join(project.root, name), { recursive: true, force: true });
  // With the index, the marks go of files that git would not restore.
  rmSync(join(git, "index"), { force: true });
  project.git("reset", "-q", "--hard", project.base);
  mkdirSync(join(project.root, SUBMODULE), { recursive: true });
}

function removeOurRefs(project: CheckoutPlace): void {
  rmSync(join(project.root, ".git/refs/ambit"), { recursive: true, force: true });
  if (!existsSync(join(project.root, ".git/packed-refs"))) return;
  const refs = project.git("for-each-ref", "--format=%(refname)", "refs/ambit").split("\n");
  for (const ref of refs.filter((name) => name !== "")) project.git("update-ref", "-d", ref);
}

export function putStash(project: CheckoutPlace): void {
  writeFileSync(join(project.root, ".git/refs/stash"), `${project.stash.commit}\n`);
  writeFileSync(stashLog(project), project.stash.log);
}

function stashLog(project: TemporaryRepository): string {
  return join(project.root, ".git/logs/refs/stash");
}

/** The files stay as they are, and git still calls them clean. */
export function convertLineEnds(project: CheckoutPlace): void {
  writeFileSync(join(project.root, ".git/config"), `${project.settings}[core]\n\tautocrlf = true\n`);
}

export function setOddModes(project: TemporaryRepository): void {
  chmodSync(join(project.root, "a.txt"), 0o600);
  chmodSync(join(project.root, "src/c.txt"), 0o640);
  chmodSync(join(project.root, "src/deep"), 0o700);
  mkdirSync(join(project.root, "new/empty"), { recursive: true, mode: 0o750 });
}

export type Seen = Readonly<Record<string, string>>;

/** Files and folders with their modes, index entries with their flags, HEAD, branches and stash. */
export function seeCheckout(project: TemporaryRepository): Seen {
  const seen: Record<string, string> = {};
  collectFiles(project.root, "", seen);
  const git = join(project.root, ".git");
  return {
    ...seen,
    "the index": listIndex(project),
    "the refs": listRefs(project),
    "the head": readFileSync(join(git, "HEAD"), "utf8"),
    "the stash": existsSync(stashLog(project)) ? readFileSync(stashLog(project), "utf8") : "",
    "the locks": readdirSync(git)
      .filter((name) => name.startsWith("index") && name !== "index")
      .join(" "),
  };
}

let lastIndex: { readonly bytes: Buffer; readonly listed: string } | undefined;

/** The same bytes are the same entries, so git is asked only about a file that is new. */
function listIndex(project: TemporaryRepository): string {
  const bytes = readFileSync(join(project.root, ".git/index"));
  if (lastIndex?.bytes.equals(bytes) !== true)
    lastIndex = { bytes, listed: project.git("ls-files", "--stage", "-v") };
  return lastIndex.listed;
}

const ourRefs = ["refs/ambit/", "refs/heads/ambit/", "refs/heads/delegation/"];

function listRefs(project: TemporaryRepository): string {
  const found: Record<string, string> = {};
  const packed = join(project.root, ".git/packed-refs");
  if (existsSync(packed)) found["packed"] = readFileSync(packed, "utf8");
  collectFiles(join(project.root, ".git"), "refs", found);
  return Object.entries(found)
    .filter(([name]) => !ourRefs.some((beginning) => name.startsWith(beginning)))
    .map(([name, content]) => `${name} ${content}`)
    .toSorted()
    .join("\n");
}

function collectFiles(root: string, folder: string, seen: Record<string, string>): void {
  for (const name of readdirSync(join(root, folder))) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (path === ".git") continue;
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) {
      seen[`${path}/`] = (stats.mode & 0o7777).toString(8);
      collectFiles(root, path, seen);
    } else if (stats.isSymbolicLink()) seen[path] = `link ${readlinkSync(join(root, path))}`;
    else seen[path] = `${(stats.mode & 0o777).toString(8)} ${readFileSync(join(root, path), "latin1")}`;
  }
}

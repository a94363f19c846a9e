import { ObjectFacts } from "./git/object-facts.ts";
import { readBlobs } from "./git/read-blobs.ts";
import { getRefPlace, type Repository } from "./git/repository.ts";
import { runGit } from "./git/run-git.ts";

/** Documents do not count, because people read them and no program does. */
const DOCUMENTS = ["*.md", "*.rst", "*.adoc"];
const LINK_MODE = "120000";

const known = new ObjectFacts<string | undefined>(16);

/** Finds a tracked file or link that names the checkout by its full path; documents do not count. */
export function findFileNaming(repository: Repository, commit: string): Promise<string | undefined> {
  const ask = async (): Promise<string | undefined> =>
    (await findText(repository, commit)) ?? (await findLink(repository, commit));
  return known.askOnce(repository, [commit], ask);
}

async function findText(repository: Repository, commit: string): Promise<string | undefined> {
  const escaped = repository.workTree.replaceAll(/[^\w/-]/g, (sign) => `\\${sign}`);
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: [
      "grep",
      "-lzIE",
      // `/home/me/app.worktrees` is not inside `/home/me/app`.
      "-e",
      `${escaped}([^[:alnum:]_.-]|$)`,
      commit,
      "--",
      ".",
      ...DOCUMENTS.map((pattern) => `:(exclude)${pattern}`),
    ],
    accept: [1],
  });
  const [first = ""] = stdout.toString("utf8").split("\0");
  return first === "" ? undefined : first.slice(first.indexOf(":") + 1);
}

async function findLink(repository: Repository, commit: string): Promise<string | undefined> {
  const { stdout } = await runGit({
    place: getRefPlace(repository),
    arguments: ["ls-tree", "-r", "-z", "--full-tree", commit],
  });
  const links = stdout
    .toString("utf8")
    .split("\0")
    .flatMap((entry) => {
      const [facts = "", path = ""] = entry.split("\t", 2);
      const [mode, , id = ""] = facts.split(" ");
      return mode === LINK_MODE ? [{ path, id }] : [];
    });
  const targets = await readBlobs(
    repository,
    links.map(({ id }) => id),
  );
  const isInside = (target: string): boolean => `${target}/`.startsWith(`${repository.workTree}/`);
  return links.find((_, index) => isInside(targets[index]?.toString("utf8") ?? ""))?.path;
}

import { recordParents } from "./ancestry.ts";
import { ObjectFacts } from "./object-facts.ts";
import { getRefPlace, type Repository } from "./repository.ts";
import { readGitLine } from "./run-git.ts";
import { readSettings } from "./settings.ts";
import { writeObject } from "./write-object.ts";

export interface CommitRequest {
  readonly repository: Repository;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
}

const trees = new ObjectFacts<string>(5000);
const OWN_NAME = "ambit";
const OWN_EMAIL = "ambit@localhost";

/** Creates a commit authored by the user, if git knows one, and committed by Ambit. No hook, no signature, no ref. */
export async function createTreeCommit(request: CommitRequest): Promise<string> {
  const { repository, tree, parents, message } = request;
  const settings = await readSettings(repository);
  const author = { name: settings.userName || OWN_NAME, email: settings.userEmail || OWN_EMAIL };
  const made =
    isPlainText(author) && !settings.isShared && !message.includes("\0")
      ? await writeObject(repository, { type: "commit", content: formatCommit(request, author) })
      : await askGitToCommit(request, author);
  recordParents(repository, made, parents);
  trees.rememberFact(repository, [made], tree);
  return made;
}

interface Author {
  readonly name: string;
  readonly email: string;
}

/** Git removes some characters from names and addresses; a commit of an author with one of them is made by git itself. */
function isPlainText({ name, email }: Author): boolean {
  return [name, email].every((text) =>
    /^[^\p{Cc}\s.,:;<>"\\'](?:[^\p{Cc}<>]*[^\p{Cc}\s.,:;<>"\\'])?$/u.test(text),
  );
}

/** The text of a commit object, as `git commit-tree` writes it. */
function formatCommit({ tree, parents, message }: CommitRequest, { name, email }: Author): Buffer {
  const now = new Date();
  const when = `${String(Math.floor(now.getTime() / 1000))} ${formatZone(-now.getTimezoneOffset())}`;
  const lines = [
    `tree ${tree}`,
    ...[...new Set(parents)].map((parent) => `parent ${parent}`),
    `author ${name} <${email}> ${when}`,
    `committer ${OWN_NAME} <${OWN_EMAIL}> ${when}`,
  ];
  return Buffer.from(`${lines.join("\n")}\n\n${message}`);
}

/** `+0530` for minutes east of Greenwich. */
function formatZone(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}${String(rest).padStart(2, "0")}`;
}

function askGitToCommit(
  { repository, tree, parents, message }: CommitRequest,
  author: Author,
): Promise<string> {
  return readGitLine({
    place: getRefPlace(repository),
    arguments: ["commit-tree", ...parents.flatMap((parent) => ["-p", parent]), tree],
    stdin: message,
    environment: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: OWN_NAME,
      GIT_COMMITTER_EMAIL: OWN_EMAIL,
    },
  });
}

export function readCommitTree(repository: Repository, commit: string): Promise<string> {
  return trees.askOnce(repository, [commit], () =>
    readGitLine({
      place: getRefPlace(repository),
      arguments: ["rev-parse", "--verify", `${commit}^{tree}`],
    }),
  );
}

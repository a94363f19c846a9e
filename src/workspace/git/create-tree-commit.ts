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

/** Creates a commit authored by the user, if git knows one, and committed by Ambit. */
export async function createTreeCommit({ repository, ...commit }: CommitRequest): Promise<string> {
  const { userName, userEmail } = await readSettings(repository);
  const now = new Date();
  return writeCommit(repository, {
    ...commit,
    author: { name: userName || ambitIdentity.name, email: userEmail || ambitIdentity.email },
    seconds: Math.floor(now.getTime() / 1000),
    zoneMinutes: -now.getTimezoneOffset(),
  });
}

export interface CommitText {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Person;
  readonly seconds: number;
  /** Minutes east of Greenwich. */
  readonly zoneMinutes: number;
}

export interface Person {
  readonly name: string;
  readonly email: string;
}

/** The committer of every commit that we make, and the author where there is no other. */
export const ambitIdentity: Person = { name: "ambit", email: "ambit@localhost" };

const trees = new ObjectFacts<string>(5000);

/** Stores a commit. No hook, no signature, no ref. */
export async function writeCommit(repository: Repository, commit: CommitText): Promise<string> {
  const { isShared } = await readSettings(repository);
  const made =
    isPlainText(commit) && !isShared
      ? await writeObject(repository, { type: "commit", content: formatCommit(commit) })
      : await askGitToCommit(repository, commit);
  recordParents(repository, made, commit.parents);
  trees.rememberFact(repository, [made], commit.tree);
  return made;
}

/** Git refuses or removes some characters; a commit with one of them is made by git itself. */
function isPlainText({ author, message, seconds }: CommitText): boolean {
  const isPlain = (text: string): boolean =>
    /^[^\p{Cc}\s.,:;<>"\\'](?:[^\p{Cc}<>]*[^\p{Cc}\s.,:;<>"\\'])?$/u.test(text);
  const isTime = Number.isSafeInteger(seconds) && seconds >= 0;
  return isTime && !message.includes("\0") && isPlain(author.name) && isPlain(author.email);
}

/** The text of a commit object, as `git commit-tree` writes it. */
function formatCommit(commit: CommitText): Buffer {
  const when = `${String(commit.seconds)} ${formatZone(commit.zoneMinutes)}`;
  const lines = [
    `tree ${commit.tree}`,
    ...[...new Set(commit.parents)].map((parent) => `parent ${parent}`),
    `author ${commit.author.name} <${commit.author.email}> ${when}`,
    `committer ${ambitIdentity.name} <${ambitIdentity.email}> ${when}`,
  ];
  return Buffer.from(`${lines.join("\n")}\n\n${commit.message}`);
}

/** `+0530` for 330 minutes. */
function formatZone(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? "-" : "+"}${String(hours).padStart(2, "0")}${String(rest).padStart(2, "0")}`;
}

function askGitToCommit(
  repository: Repository,
  { tree, parents, message, author, seconds, zoneMinutes }: CommitText,
): Promise<string> {
  const date = `@${String(seconds)} ${formatZone(zoneMinutes)}`;
  return readGitLine({
    place: getRefPlace(repository),
    arguments: [
      "-c",
      "i18n.commitEncoding=UTF-8",
      "commit-tree",
      ...parents.flatMap((parent) => ["-p", parent]),
      tree,
    ],
    // This is the only character that git refuses.
    stdin: message.replaceAll("\0", ""),
    environment: {
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: ambitIdentity.name,
      GIT_COMMITTER_EMAIL: ambitIdentity.email,
      GIT_COMMITTER_DATE: date,
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

/** The tree of a commit, if it is known without asking git. */
export function recallCommitTree(repository: Repository, commit: string): Promise<string> | undefined {
  return trees.recall(repository, [commit]);
}

import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { getTemporaryFolder } from "../base/temporary-folder.ts";
import { workspaceErrors } from "../errors/workspace.ts";
import {
  fetchRepository,
  listTreeFolder,
  readFetchedHead,
  readTreeEntry,
  type RemoteFile,
  type RemotePlace,
} from "./git/fetch-repository.ts";
import { runGit } from "./git/run-git.ts";

export interface RemoteFiles {
  readonly commit: string;
  /** The folder the files were found in, relative to the repository's root. */
  readonly folder: string;
  readonly files: readonly RemoteFile[];
}

export interface RemoteQuestion extends RemotePlace {
  /** Searched in this order; the first folder that holds a wanted file is used. */
  readonly folders: readonly string[];
  readonly isWanted: (name: string) => boolean;
  readonly maxFiles: number;
}

/**
 * Reads small files of a foreign repository as bytes. Nothing is checked out, so its filters, hooks, links and
 * attributes have no effect. Only one fetch is made, with a deadline and a size limit.
 */
export async function fetchRemoteFiles(question: RemoteQuestion): Promise<RemoteFiles> {
  const directory = mkdtempSync(join(getTemporaryFolder(), "ambit-fetch-"));
  const place = { searchPath: question.host.searchPath, gitDirectory: directory };
  try {
    await runGit({ place, arguments: ["init", "--quiet", "--bare", "--template=", directory] });
    await fetchRepository(place, question);
    const commit = await readFetchedHead(place);
    for (const folder of question.folders) {
      const entries = (await listTreeFolder(place, commit, folder)).filter(({ name }) =>
        question.isWanted(name),
      );
      if (entries.length > question.maxFiles)
        throw workspaceErrors.tooManyTemplates(question.url, entries.length, question.maxFiles);
      if (entries.length === 0) continue;
      const files = await Promise.all(entries.map((entry) => readTreeEntry(place, entry, question.maxBytes)));
      return { commit, folder, files };
    }
    return { commit, folder: "", files: [] };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

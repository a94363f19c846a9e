import { quoteExcerpt } from "../../base/visible-text.ts";
import { usageError } from "../../errors/usage.ts";
import { decodeOfferedFile } from "../../templates/add-templates.ts";
import {
  MAX_TEMPLATE_BYTES,
  MAX_TEMPLATES,
  parseTemplateName,
  sharedFolders,
  TEMPLATE_FOLDER,
  type OfferedFile,
} from "../../templates/read-source-folder.ts";
import { fetchRemoteFiles } from "../../workspace/fetch-files.ts";
import type { AppContext } from "../project/app-context.ts";

/** `https://…`, or `git@host:path` as git writes ssh addresses. Anything else is a path. */
export function isGitUrl(source: string): boolean {
  return source.includes("://") || source.includes("::") || /^[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:/.test(source);
}

const SCHEMES = ["https://", "ssh://", "file://"] as const;
const REF = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,199}$/;

/** Fetches the templates of a git repository; runs nothing of it. */
export async function fetchOffered(
  context: AppContext,
  url: string,
  ref: string | undefined,
): Promise<{ readonly offered: readonly OfferedFile[]; readonly commit: string }> {
  checkUrl(url);
  if (ref !== undefined && !REF.test(ref))
    throw usageError(`--ref ${quoteExcerpt(ref)} is not a branch or tag`, "Name one such as v1 or main.");
  context.progress(`fetching ${url}`);
  const { commit, files } = await fetchRemoteFiles({
    url,
    ref,
    folders: sharedFolders,
    isWanted: (name) => parseTemplateName(name) !== undefined,
    maxBytes: MAX_TEMPLATE_BYTES,
    maxFiles: MAX_TEMPLATES,
    host: describeHost(context),
  });
  if (files.length === 0)
    throw usageError(
      `${url} has no templates`,
      `Templates are .md or .yaml files in ${TEMPLATE_FOLDER}, in templates, or at its top.`,
    );
  const offered = files.map((file) =>
    "bytes" in file ? decodeOfferedFile(file.name, file.bytes) : { file: file.name, problem: file.problem },
  );
  return { offered, commit };
}

/** How git reaches other repositories from here. */
export function describeHost({ environment, homeDirectory = "/nonexistent" }: AppContext) {
  return {
    searchPath: environment["PATH"] ?? "/usr/bin:/bin",
    home: homeDirectory,
    sshAgent: environment["SSH_AUTH_SOCK"],
  };
}

/** Refuses addresses that would run a program or show a password. */
export function checkUrl(url: string): void {
  const isScp = !url.includes("://") && !url.includes("::");
  if (!isScp && !SCHEMES.some((start) => url.startsWith(start)))
    throw usageError(
      `templates cannot be fetched from ${quoteExcerpt(url)}`,
      `Use ${SCHEMES.join(", ")} or git@host:path.`,
    );
  const authority = url.split("://")[1]?.split("/")[0] ?? "";
  if (authority.includes("@") && authority.includes(":") && authority.indexOf(":") < authority.indexOf("@"))
    throw usageError(
      "the address contains a password",
      "Leave it out, because others could see it. Use ssh, or clone the repository yourself.",
    );
}

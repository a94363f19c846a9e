import { decodeOfferedFile } from "../../../templates/add-templates.ts";
import {
  sharedFolders,
  type OfferedFile,
  MAX_TEMPLATE_BYTES,
  MAX_TEMPLATES,
  TEMPLATE_FOLDER,
  parseTemplateName,
} from "../../../templates/read-source-folder.ts";
import { fetchRemoteFiles } from "../../../workspace/fetch-files.ts";
import type { CommandContext } from "../../command-module.ts";
import { usage } from "../../option-values.ts";
import { quoteExcerpt } from "../../../base/visible-text.ts";

/** `https://…`, or `git@host:path` as git writes ssh addresses. What looks like neither is a path. */
export function isGitUrl(source: string): boolean {
  return source.includes("://") || source.includes("::") || /^[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:/.test(source);
}

const ALLOWED = ["https://", "ssh://", "file://"] as const;
const REF = /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,199}$/;

export async function fetchOffered(
  context: CommandContext,
  url: string,
  ref: string | undefined,
): Promise<{ readonly offered: readonly OfferedFile[]; readonly commit: string }> {
  checkUrl(url);
  if (ref !== undefined && !REF.test(ref))
    throw usage(`--ref ${quoteExcerpt(ref)} is no branch or tag`, "Name one such as v1 or main.");
  context.progress(`fetching ${url}`);
  const { environment, homeDirectory = "/nonexistent" } = context;
  const { commit, files } = await fetchRemoteFiles({
    url,
    ref,
    folders: sharedFolders,
    isWanted: (name) => parseTemplateName(name) !== undefined,
    maxBytes: MAX_TEMPLATE_BYTES,
    maxFiles: MAX_TEMPLATES,
    host: {
      searchPath: environment["PATH"] ?? "/usr/bin:/bin",
      home: homeDirectory,
      sshAgent: environment["SSH_AUTH_SOCK"],
    },
  });
  if (files.length === 0)
    throw usage(
      `${url} holds no template`,
      `Templates are .md or .yaml files in ${TEMPLATE_FOLDER}, in templates, or at its top.`,
    );
  const offered = files.map((file) =>
    "bytes" in file ? decodeOfferedFile(file.name, file.bytes) : { file: file.name, problem: file.problem },
  );
  return { offered, commit };
}

function checkUrl(url: string): void {
  const isScp = !url.includes("://") && !url.includes("::");
  if (!isScp && !ALLOWED.some((start) => url.startsWith(start)))
    throw usage(
      `${quoteExcerpt(url)} is no address templates are taken from`,
      `Use ${ALLOWED.join(", ")} or git@host:path.`,
    );
  const authority = url.split("://")[1]?.split("/")[0] ?? "";
  if (authority.includes("@") && authority.includes(":") && authority.indexOf(":") < authority.indexOf("@"))
    throw usage(
      "the address holds a password",
      "Leave it out: it would be seen by others. Use ssh, or clone it yourself.",
    );
}

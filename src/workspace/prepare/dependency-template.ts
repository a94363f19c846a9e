import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readRegularText } from "../../base/files.ts";
import { getStateFolders } from "../files/state-folders.ts";
import type { Repository } from "../git/repository.ts";
import { copyFolderRaw, findLinksInto } from "./copy-folder.ts";
import { createFolderWhole } from "./create-folder-whole.ts";
import type { FoundDependency } from "./find-dependencies.ts";

const factsSchema = z.strictObject({
  /** Links by absolute path into the user's checkout, per dependency folder. */
  links: z.record(z.string(), z.array(z.string())),
});

/** An immutable copy of the user's dependency folders, shared below many workspaces at once. */
export interface DependencyTemplate {
  readonly key: string;
  /** Holds the folders at their places in the checkout. */
  readonly layer: string;
  readonly links: Readonly<Record<string, readonly string[]>>;
}

/**
 * If the user's own folder were mounted, every worker would see each change of it: the lower layer must never change.
 */
export async function makeTemplate(
  context: { readonly repository: Repository; readonly stateDirectory: string },
  dependencies: readonly FoundDependency[],
): Promise<DependencyTemplate> {
  const key = buildTemplateKey(dependencies);
  const folder = join(
    getStateFolders(context.stateDirectory).templates,
    dependencyTemplateName(dependencies),
  );
  const known = readTemplate(folder, key);
  if (known !== undefined) return known;
  await createFolderWhole(folder, (beside) => fillTemplate(context.repository, beside, dependencies));
  return readTemplate(folder, key) ?? { key, layer: join(folder, "layer"), links: {} };
}

export function dependencyTemplateName(dependencies: readonly FoundDependency[]): string {
  return `dependencies-${buildTemplateKey(dependencies)}`;
}

async function fillTemplate(
  repository: Repository,
  folder: string,
  dependencies: readonly FoundDependency[],
): Promise<void> {
  const links: Record<string, readonly string[]> = {};
  for (const { path } of dependencies) {
    const target = join(folder, "layer", path);
    mkdirSync(join(target, ".."), { recursive: true });
    await copyFolderRaw(repository.host.searchPath, join(repository.workTree, path), target);
    links[path] = await findLinksInto(target, repository.workTree);
  }
  writeFileSync(join(folder, "facts.json"), JSON.stringify({ links }));
}

function readTemplate(folder: string, key: string): DependencyTemplate | undefined {
  const text = readRegularText(join(folder, "facts.json"));
  if (text === undefined) return undefined;
  const facts = factsSchema.parse(JSON.parse(text));
  return { key, layer: join(folder, "layer"), links: facts.links };
}

/** Identifies one state of all dependency folders together. */
export function buildTemplateKey(dependencies: readonly FoundDependency[]): string {
  const lines = dependencies.map(({ path, signature }) => `${path}\0${signature}\0`).toSorted();
  return createHash("sha256").update(lines.join("")).digest("hex").slice(0, 24);
}

import * as z from "zod";
import type { Engine } from "../../orchestrator/engine.ts";
import { identifyCaller, readFields } from "../../orchestrator/worker-calls.ts";
import { renderTreeText } from "../../reports/tree-text.ts";
import { buildTree, buildTreeDocument } from "../../reports/tree.ts";

const treeSchema = z.strictObject({});

/** The whole tree of the caller's story. */
export async function showTree(engine: Engine, input: unknown): Promise<object> {
  const { caller, fields } = identifyCaller(engine, input);
  readFields(treeSchema, fields);
  const { story } = await engine.read(caller.id);
  const root = buildTree(await engine.tools.store.storyTree(story), story);
  if (root === undefined) throw new TypeError(`${story} is not in the store`);
  return {
    story,
    you: caller.id,
    tree: buildTreeDocument(root),
    text: renderTreeText(root, { ascii: false }),
  };
}

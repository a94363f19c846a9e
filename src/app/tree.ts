import * as z from "zod";
import { outcomes } from "../contract/outcome.ts";
import { workProofs } from "../contract/task.ts";
import { renderTreeDot } from "./tree/tree-dot.ts";
import { renderTreeMermaid } from "./tree/tree-mermaid.ts";
import { buildTree, buildTreeDocument, type TreeNode } from "../reports/tree.ts";
import { findMachines } from "./project/find-machines.ts";
import { findTarget } from "./project/find-target.ts";
import { isInterrupted } from "./project/find-driver.ts";
import { listNotices, noticesSchema } from "./project/notices.ts";
import { readStore } from "./project/open-project.ts";
import { readOpenQuestions } from "./project/open-questions.ts";
import { readStoryTodos, todoSchema } from "./todos/read-story-todos.ts";
import { defineUseCase } from "./use-case.ts";
import { copyFields } from "./wire/copy-fields.ts";

export { renderTreeText } from "../reports/tree-text.ts";
export { renderTreeMermaid } from "./tree/tree-mermaid.ts";

const diagrams = ["mermaid", "dot"] as const;

const input = () =>
  z.strictObject({
    story: z.string().default("").describe("An id or its beginning; the newest story by default"),
    diagram: z.enum(diagrams).optional().describe("Also draw it in this language"),
  });

const node = () => {
  const schema = z.looseObject({
    id: z.string(),
    title: z.string(),
    depth: z.int(),
    status: z.enum(["pending", "running", ...outcomes]),
    code: z.string().nullable(),
    agent: z.string().nullable(),
    proof: z.enum(workProofs).nullable().describe("The proof by its checks; null if it is not accepted"),
    attempt: z.int(),
    machine: z.string().optional().describe("The worker machine of a cluster that it runs on"),
    estimated_hours: z.number().nullable(),
    tokens_in: z.int(),
    tokens_out: z.int(),
    cost_usd: z.number().nullable(),
    started_at: z.string().nullable(),
    completed_at: z.string().nullable(),
    get children() {
      return z.array(schema);
    },
  });
  return schema;
};

const output = () =>
  z.looseObject({
    story: z.string().nullable().describe("Null before the first story"),
    interrupted: z
      .boolean()
      .optional()
      .describe("Whether open work is interrupted because no supervisor runs"),
    tree: node().nullable(),
    todos: z.array(todoSchema()).optional(),
    noticed: noticesSchema(),
    format: z.enum(diagrams).optional(),
    diagram: z.string().optional(),
  });

export type TreeAnswer = z.output<ReturnType<typeof output>>;

/** Shows who delegated what to whom: the tree below a story or one delegation. */
export const treeUseCase = defineUseCase({
  input,
  output,
  isReadOnly: true,
  run: (context, { story: word, diagram }) =>
    readStore(context, async (reader, project) => {
      const target = await findTarget(reader, word);
      if (reader === undefined || target === undefined) return { story: null, tree: null };
      const tree = await reader.storyTree(target.story.id);
      const root = buildTree(tree, target.id);
      if (root === undefined) return { story: null, tree: null };
      const todos = await readStoryTodos(reader, target.story.id);
      const interrupted = isInterrupted(project, tree, await readOpenQuestions(reader));
      const machines = await findMachines(project.storeFile, reader, tree);
      const noticed = (await listNotices(reader, target.story.id)).map(copyFields);
      const answer = {
        story: target.story.id,
        interrupted,
        tree: buildTreeDocument(root, machines),
        todos,
        ...(noticed.length === 0 ? {} : { noticed }),
      };
      return diagram === undefined ? answer : { ...answer, format: diagram, diagram: draw(root, diagram) };
    }),
});

function draw(root: TreeNode, diagram: (typeof diagrams)[number]): string {
  return diagram === "mermaid" ? renderTreeMermaid(root) : renderTreeDot(root);
}

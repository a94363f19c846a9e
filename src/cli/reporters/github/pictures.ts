import { renderTreeMermaid } from "../../../app/tree.ts";
import { renderTreeText } from "../../../reports/tree-text.ts";
import { listTreeNodes, type DrawnNode, drawViewTree } from "../../../reports/tree.ts";
import type { StoryView } from "../../../reports/story-view.ts";
import { escapeHtml, shorten } from "./escape-markdown.ts";

/** GitHub draws no diagram of more text than 50,000 characters; with this many nodes none could be read either. */
const MOST_DRAWN = 100;
const LONGEST_DIAGRAM = 45_000;
const MOST_LISTED = 500;

/** The tree as text and as a diagram, each in a fold; a story without workers needs neither. */
export function renderPictures(view: StoryView): readonly string[] {
  const tree = shortTitles(drawViewTree(view));
  const count = listTreeNodes(tree).length;
  if (count < 2) return [];
  const text = renderTreeText(tree, { ascii: false }).split("\n").slice(0, MOST_LISTED).join("\n");
  const diagram = count > MOST_DRAWN ? "" : renderTreeMermaid(tree);
  return [
    fold("Tree", `<pre>\n${escapeHtml(text)}\n</pre>`),
    ...(diagram === "" || diagram.length > LONGEST_DIAGRAM
      ? []
      : [fold("Diagram", `\`\`\`mermaid\n${diagram}\n\`\`\``)]),
  ];
}

/** Markdown inside is read only after an empty line. */
function fold(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

function shortTitles(node: DrawnNode): DrawnNode {
  return { ...node, title: shorten(node.title), workers: node.workers.map(shortTitles) };
}

import { drawStory } from "../../../app/story-pictures.ts";
import type { StoryView } from "../../../app/story-view.ts";
import { escapeHtml, shorten } from "./escape-markdown.ts";

/** GitHub draws no diagram of more than 50,000 characters, and one with more nodes than this is unreadable. */
const MAX_DRAWN_NODES = 100;
const MAX_DIAGRAM_LENGTH = 45_000;
const MAX_TREE_LINES = 500;

/** The tree as text and as a diagram, each in a fold; a story without workers needs neither. */
export function renderPictures(view: StoryView): readonly string[] {
  const { nodes, text, mermaid } = drawStory(view, shorten);
  if (nodes < 2) return [];
  const lines = text.split("\n").slice(0, MAX_TREE_LINES).join("\n");
  const isDrawn = nodes <= MAX_DRAWN_NODES && mermaid.length <= MAX_DIAGRAM_LENGTH;
  return [
    fold("Tree", `<pre>\n${escapeHtml(lines)}\n</pre>`),
    ...(isDrawn ? [fold("Diagram", `\`\`\`mermaid\n${mermaid}\n\`\`\``)] : []),
  ];
}

/** Markdown reads the content as Markdown only after an empty line. */
function fold(title: string, content: string): string {
  return `<details><summary>${title}</summary>\n\n${content}\n\n</details>`;
}

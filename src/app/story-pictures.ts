import { renderTreeText } from "../reports/tree-text.ts";
import { drawViewTree, listTreeNodes, type DrawnNode } from "../reports/tree.ts";
import type { StoryView } from "./story-view.ts";
import { renderTreeMermaid } from "./tree/tree-mermaid.ts";

/** The tree of a followed story, drawn in two ways. */
export interface StoryPictures {
  readonly nodes: number;
  readonly text: string;
  readonly mermaid: string;
}

/** `shorten` is applied to every title, because pictures have less room than lists. */
export function drawStory(view: StoryView, shorten: (title: string) => string): StoryPictures {
  const shortTitles = (node: DrawnNode): DrawnNode => ({
    ...node,
    title: shorten(node.title),
    workers: node.workers.map(shortTitles),
  });
  const tree = shortTitles(drawViewTree(view));
  return {
    nodes: listTreeNodes(tree).length,
    text: renderTreeText(tree, { ascii: false }),
    mermaid: renderTreeMermaid(tree),
  };
}

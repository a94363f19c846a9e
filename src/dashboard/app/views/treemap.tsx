import { hierarchy, treemap, treemapSquarify, type HierarchyRectangularNode } from "d3-hierarchy";
import { useMemo } from "react";
import type { CostShare } from "../../../app/view-types.ts";
import { goTo, storyPath } from "../frame/route.ts";
import { Empty } from "../parts/notices.tsx";
import { formatTokens, formatSpent } from "../text/format.ts";
import { sourceMarks, sourceWords } from "../text/state-look.ts";

interface Branch {
  readonly name: string;
  readonly branches?: readonly Branch[];
  readonly share?: CostShare;
}

const WIDTH = 640;
const HEIGHT = 300;
const MAX_SHOWN = 120;

/** Task → agent → model by area; the table below also lists what is too small to be seen. */
export function Treemap({
  shares,
  story,
}: {
  readonly shares: readonly CostShare[];
  readonly story: string;
}) {
  const cells = useMemo(() => layOut(shares), [shares]);
  if (cells.length === 0) return <Empty title="Nothing has been spent yet" />;
  return (
    <svg
      className="treemap"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="group"
      aria-label="Cost by task, agent and model"
    >
      {cells.map((cell) => (
        <Area key={makeKey(cell)} cell={cell} story={story} />
      ))}
      <g aria-hidden="true" className="writing">
        {cells.map((cell) => (
          <Writing key={makeKey(cell)} cell={cell} />
        ))}
      </g>
    </svg>
  );
}

function makeKey({ data }: Drawn): string {
  return `${data.share?.node ?? ""} ${data.name}`;
}

function layOut(shares: readonly CostShare[]): readonly HierarchyRectangularNode<Branch>[] {
  const root = hierarchy<Branch>(asTree(shares.slice(0, MAX_SHOWN)), ({ branches }) => branches)
    .sum(({ share }) => share?.microUsd ?? 0)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  if ((root.value ?? 0) === 0) return [];
  return treemap<Branch>().size([WIDTH, HEIGHT]).paddingInner(2).tile(treemapSquarify)(root).leaves();
}

function asTree(shares: readonly CostShare[]): Branch {
  const tasks = Map.groupBy(shares, ({ node }) => node);
  return {
    name: "story",
    branches: [...tasks].map(([node, ofTask]) => ({
      name: node,
      branches: [...Map.groupBy(ofTask, ({ agent }) => agent)].map(([agent, ofAgent]) => ({
        name: agent,
        branches: ofAgent.map((share) => ({ name: share.model, share })),
      })),
    })),
  };
}

type Drawn = HierarchyRectangularNode<Branch>;

/** A tile that can be chosen. Its accessible name says everything, even where the label does not fit. */
function Area({ cell, story }: { readonly cell: Drawn; readonly story: string }) {
  const { share } = cell.data;
  if (share === undefined) return null;
  const told = `${formatTask(share)}, ${formatAgent(share)}: ${formatSpent(share.microUsd)}, ${formatTokens(share.tokens)} tokens, ${sourceWords[share.source]}`;
  const path = `${storyPath(story)}?d=${encodeURIComponent(share.node)}&tab=cost`;
  return (
    <a
      href={path}
      aria-label={told}
      onClick={(event) => {
        event.preventDefault();
        goTo(path);
      }}
    >
      <rect
        className={`cell ${share.source}`}
        x={cell.x0}
        y={cell.y0}
        width={cell.x1 - cell.x0}
        height={cell.y1 - cell.y0}
        rx="3"
      >
        <title>{told}</title>
      </rect>
    </a>
  );
}

/** For the widest bold font that a system may fall back to. */
const LETTER = 7.8;
const MIN_WIDTH = 40;

function Writing({ cell }: { readonly cell: Drawn }) {
  const { share } = cell.data;
  const width = cell.x1 - cell.x0;
  if (share === undefined || width < MIN_WIDTH) return null;
  const sum = `${formatSpent(share.microUsd)} ${sourceMarks[share.source]}`.trim();
  const lines = [formatTask(share), formatAgent(share), sum];
  return lines
    .filter((_, index) => cell.y1 - cell.y0 > 18 + index * 15)
    .map((line, index) => (
      <text
        key={index}
        x={cell.x0 + 7}
        y={cell.y0 + 16 + index * 15}
        className={index === 0 ? "strong" : undefined}
      >
        {shorten(line, width)}
      </text>
    ));
}

function formatTask({ label, title }: CostShare): string {
  return `${label} ${title}`.trim();
}

function formatAgent({ agent, model }: CostShare): string {
  return model === "" ? agent : `${agent} · ${model}`;
}

function shorten(text: string, width: number): string {
  const letters = Math.floor((width - 12) / LETTER);
  return text.length <= letters ? text : `${text.slice(0, Math.max(0, letters - 1))}…`;
}

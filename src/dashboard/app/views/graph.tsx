import { memo, useEffect, useMemo, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import type { TreeNode } from "../../../app/view-types.ts";
import { Outside } from "../parts/outside.tsx";
import { NodeMark } from "../parts/state-mark.tsx";
import { formatSpent } from "../text/format.ts";
import {
  box,
  layOut,
  drawPath,
  describeShape,
  type Edge,
  type GraphLayout,
  type Spot,
} from "./graph-layout.ts";
import type { StoryFormProps } from "./story-form-props.ts";

const zooms = [1, 0.75, 0.5] as const;

/** Extra height above and below the visible part, so that scrolling shows no gaps. */
const BAND_MARGIN = 400;
const BAND_STEP = 200;

/** The tree from left to right, with dependencies. Only the visible part is drawn. */
export function Graph({ live, chosen, onChoose }: StoryFormProps) {
  const [zoom, setZoom] = useState<number>(1);
  const shape = useMemo(() => describeShape(live.nodes), [live.nodes]);
  // The layout holds older node data; only its positions are used.
  const layout = useMemo(() => layOut(live.nodes), [shape]);
  return (
    <>
      <div className="toolbar">
        <ul className="legend">
          <li>
            <svg width="26" height="10" aria-hidden="true">
              <path className="edge manager" d="M1 5H25" />
            </svg>
            manager to worker
          </li>
          <li>
            <svg width="26" height="10" aria-hidden="true">
              <path className="edge dependency" d="M1 5H25" />
            </svg>
            waits for
          </li>
        </ul>
        <span className="spring" />
        <div className="choice" role="group" aria-label="Zoom">
          {zooms.map((factor) => (
            <button
              key={factor}
              type="button"
              className="button"
              aria-pressed={factor === zoom}
              onClick={() => setZoom(factor)}
            >
              {factor * 100} %
            </button>
          ))}
        </div>
      </div>
      <Canvas layout={layout} nodes={live.nodes} zoom={zoom} chosen={chosen} onChoose={onChoose} />
    </>
  );
}

interface CanvasProps {
  readonly layout: GraphLayout;
  readonly nodes: ReadonlyMap<string, TreeNode>;
  readonly zoom: number;
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
}

function Canvas({ layout, nodes, zoom, chosen, onChoose }: CanvasProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const band = useVisibleBand(scroller, zoom);
  const [active, setActive] = useState<string | null>(chosen);
  const { spots, edges, width, height } = layout;
  const activeId = spots.some(({ node }) => node.id === active) ? active : (spots[0]?.node.id ?? null);
  const shown = spots.filter((spot) => spot.node.id === activeId || isIn(band, spot.y, spot.y + box.height));
  const moveTo = useFocusMove(scroller, zoom);
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = neighbour(event.key, spots, activeId);
    if (target === undefined) return;
    event.preventDefault();
    setActive(target.node.id);
    moveTo(target);
  };
  return (
    <div
      ref={scroller}
      className="sheet scroll graph"
      role="group"
      aria-label="Graph of delegations"
      onKeyDown={onKeyDown}
    >
      <div className="graph-size" style={{ width: width * zoom, height: height * zoom }}>
        <div className="graph-canvas" style={{ width, height, transform: `scale(${zoom})` }}>
          <Edges edges={edges} band={band} width={width} height={height} />
          {shown.map((spot) => (
            <NodeBox
              key={spot.node.id}
              node={nodes.get(spot.node.id) ?? spot.node}
              x={spot.x}
              y={spot.y}
              isActive={spot.node.id === activeId}
              isChosen={spot.node.id === chosen}
              onChoose={onChoose}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface EdgesProps {
  readonly edges: readonly Edge[];
  readonly band: Band;
  readonly width: number;
  readonly height: number;
}

const Edges = memo(function Edges({ edges, band, width, height }: EdgesProps) {
  const shown = edges.filter(({ from, to }) =>
    isIn(band, Math.min(from.y, to.y), Math.max(from.y, to.y) + box.height),
  );
  return (
    <svg className="graph-edges" width={width} height={height} aria-hidden="true">
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path className="arrow" d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {shown.map((edge) => (
        <path
          key={edge.id}
          className={`edge ${edge.kind}`}
          d={drawPath(edge)}
          markerEnd={edge.kind === "dependency" ? "url(#arrow)" : undefined}
        />
      ))}
    </svg>
  );
});

interface NodeBoxProps {
  readonly node: TreeNode;
  readonly x: number;
  readonly y: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onChoose: (id: string) => void;
}

function NodeBoxBare({ node, x, y, isActive, isChosen, onChoose }: NodeBoxProps) {
  const dependencies = node.dependsOn.length;
  return (
    <button
      type="button"
      className="node-box"
      data-id={node.id}
      tabIndex={isActive ? 0 : -1}
      aria-pressed={isChosen}
      style={{ transform: `translate(${x}px, ${y}px)`, width: box.width, height: box.height }}
      onClick={() => onChoose(node.id)}
    >
      <span className="node-title">
        {node.label === "" ? null : <span className="place numbers">{node.label}</span>}
        <Outside text={node.title} className="cut" />
      </span>
      <span className="node-facts">
        <NodeMark node={node} />
        <Outside text={node.agent} className="cut quiet" />
        <span className="numbers quiet">{formatSpent(node.totalMicroUsd)}</span>
      </span>
      {dependencies === 0 ? null : <span className="unseen">, waits for {dependencies} others</span>}
    </button>
  );
}

/** Handlers are new functions at each render and are not compared. */
const NodeBox = memo(NodeBoxBare, (before, after) => {
  const names = ["node", "x", "y", "isActive", "isChosen"] as const;
  return names.every((name) => before[name] === after[name]);
});

function isIn(band: Band, top: number, bottom: number): boolean {
  return bottom >= band.top && top <= band.bottom;
}

/** Up and down move within a depth, right goes to the first worker, left to the manager. */
function neighbour(key: string, spots: readonly Spot[], id: string | null): Spot | undefined {
  const index = spots.findIndex(({ node }) => node.id === id);
  const here = spots[index];
  if (here === undefined) return undefined;
  const isLevel = ({ x }: Spot): boolean => x === here.x;
  switch (key) {
    case "ArrowDown":
      return spots.slice(index + 1).find(isLevel);
    case "ArrowUp":
      return spots.slice(0, index).findLast(isLevel);
    case "ArrowRight":
      return spots.find(({ node }) => node.parent === here.node.id);
    case "ArrowLeft":
      return spots.find(({ node }) => node.id === here.node.parent);
    case "Home":
      return spots[0];
    case "End":
      return spots.at(-1);
    default:
      return undefined;
  }
}

/** Scrolls to the box first, because a box that is not drawn cannot take the focus. */
function useFocusMove(scroller: React.RefObject<HTMLDivElement | null>, zoom: number): (spot: Spot) => void {
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    const boxes = scroller.current?.querySelectorAll<HTMLElement>(".node-box") ?? [];
    const target = [...boxes].find((element) => element.dataset["id"] === wanted.current);
    if (wanted.current === null || target === undefined) return;
    wanted.current = null;
    target.focus({ preventScroll: true });
  });
  return ({ node, x, y }) => {
    const element = scroller.current;
    if (element === null) return;
    wanted.current = node.id;
    const { scrollTop, clientHeight, scrollLeft, clientWidth } = element;
    const [top, left] = [y * zoom, x * zoom];
    const isSeen = top >= scrollTop && top + box.height * zoom <= scrollTop + clientHeight;
    const isBeside = left >= scrollLeft && left + box.width * zoom <= scrollLeft + clientWidth;
    if (!isSeen) element.scrollTop = Math.max(0, top - clientHeight / 2);
    if (!isBeside) element.scrollLeft = Math.max(0, left - 40);
  };
}

interface Band {
  readonly top: number;
  readonly bottom: number;
}

/** The visible part of a tall drawing, in the drawing's own units and in coarse steps. */
function useVisibleBand(scroller: RefObject<HTMLElement | null>, zoom: number): Band {
  const [band, setBand] = useState<Band>({ top: 0, bottom: 1600 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = (): void => {
      const top = Math.floor((element.scrollTop / zoom - BAND_MARGIN) / BAND_STEP) * BAND_STEP;
      const bottom =
        Math.ceil(((element.scrollTop + element.clientHeight) / zoom + BAND_MARGIN) / BAND_STEP) * BAND_STEP;
      setBand((before) => (before.top === top && before.bottom === bottom ? before : { top, bottom }));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller, zoom]);
  return band;
}

import { delegationStatus, type DelegationStatus } from "../journal/delegation-status.ts";
import type { Delegation } from "../journal/store.ts";
import { toKnownUsd } from "../base/money.ts";
import { findRootNode, listWorkerNodes, type StoryNode, type StoryView } from "./story-view.ts";

/** The part of a node that a picture of the tree shows. */
export interface DrawnNode {
  readonly id: string;
  readonly title: string;
  readonly depth: number;
  readonly status: DelegationStatus;
  /** The meaning of its checks, as far as it is known here. */
  readonly shows: string;
  /** The worker machine of a cluster that it runs on. */
  readonly machine?: string | undefined;
  readonly workers: readonly DrawnNode[];
}

/** One node: a story at depth 0, a delegation below. */
export interface TreeNode extends DrawnNode {
  readonly delegation: Delegation;
  readonly workers: readonly TreeNode[];
}

/** The tree below `rootId`; undefined if it is not among the delegations. Workers keep their order. */
export function buildTree(delegations: readonly Delegation[], rootId: string): TreeNode | undefined {
  const nodes = new Map<string, TreeNode & { readonly workers: TreeNode[] }>();
  for (const delegation of delegations) {
    const { id, description: title, depth, parent } = delegation;
    const known = { status: delegationStatus(delegation), shows: delegation.proof ?? "" };
    const node = { id, title, depth, ...known, delegation, workers: [] };
    nodes.set(id, node);
    if (parent !== null) nodes.get(parent)?.workers.push(node);
  }
  return nodes.get(rootId);
}

/** The tree of a watched story, for pictures. */
export function drawViewTree(view: StoryView): DrawnNode {
  return toDrawnNode(view, findRootNode(view));
}

function toDrawnNode(view: StoryView, node: StoryNode): DrawnNode {
  const { id, title, depth, shows } = node;
  return {
    id,
    title,
    depth,
    shows,
    status: readNodeStatus(node),
    workers: listWorkerNodes(view, node).map((worker) => toDrawnNode(view, worker)),
  };
}

function readNodeStatus({ state, outcome }: StoryNode): DelegationStatus {
  if (outcome !== null) return outcome;
  return state === "queued" ? "pending" : "running";
}

/** The root first, then each worker with everything below it. */
export function listTreeNodes<Node extends { readonly workers: readonly Node[] }>(
  node: Node,
): readonly Node[] {
  return [node, ...node.workers.flatMap((worker) => listTreeNodes(worker))];
}

/** The wire form of a tree. */
interface TreeDocument extends ReturnType<typeof buildNodeDocument> {
  readonly [key: string]: unknown;
  readonly children: TreeDocument[];
}

/** `machines` has the worker machine of each delegation that runs on one. */
export function buildTreeDocument(
  node: TreeNode,
  machines: ReadonlyMap<string, string> = new Map(),
): TreeDocument {
  const machine = machines.get(node.id);
  return {
    ...buildNodeDocument(node),
    ...(machine === undefined ? {} : { machine }),
    children: node.workers.map((worker) => buildTreeDocument(worker, machines)),
  };
}

function buildNodeDocument(node: TreeNode) {
  const { delegation } = node;
  return {
    id: node.id,
    title: node.title,
    depth: node.depth,
    status: node.status,
    code: delegation.code,
    agent: delegation.agent,
    proof: delegation.proof,
    attempt: delegation.attempt,
    estimated_hours: delegation.estimatedHours,
    tokens_in: delegation.inputTokens + delegation.cachedTokens,
    tokens_out: delegation.outputTokens,
    cost_usd: toKnownUsd(delegation.microUsd),
    started_at: delegation.startedAt,
    completed_at: delegation.closedAt,
  };
}

import { WorkDiff } from "../diff/work-diff.tsx";
import { useLook } from "../live/use-look.ts";
import type { TabProps } from "./tab-props.ts";

/** The files of a running worker change without an event, so they are looked at now and then. */
export function DiffTab({ detail }: TabProps) {
  const { node, tip, can } = detail;
  const look = useLook();
  const live = node.state === "running" ? look : 0;
  const version = `${tip ?? ""} ${node.state} ${detail.filesChanged.length} ${live}`;
  return <WorkDiff id={node.id} version={version} worker={can.includes("message") ? node.id : null} />;
}

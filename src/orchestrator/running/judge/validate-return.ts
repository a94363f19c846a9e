import { readReturnFile } from "./read-return-file.ts";
import { readReturn, returnCaps } from "../../../contract/read-return.ts";
import {
  validateReturnBytes,
  type ArtifactProbe,
  type ReturnVerdict,
} from "../../../contract/validate-return.ts";
import { isRecord } from "../../../base/json.ts";
import { safeText } from "../../../base/safe-text.ts";
import type { Delegation } from "../../../journal/store.ts";
import { redactFile } from "../../../redaction/redact-file.ts";
import { addNotes } from "../../delegation/keep-work.ts";
import { recordEvent } from "../../delegation/record.ts";
import type { RunTools } from "../../ports/run-tools.ts";
import type { KeptWork } from "../../ports/work-place.ts";
import { buildReturnMetadata } from "../prepare/build-prompt.ts";
import type { ReturnedAttempt } from "../invoke/invoke-agent.ts";

export interface JudgedAttempt extends ReturnedAttempt {
  readonly work: KeptWork;
  readonly verdict: ReturnVerdict;
}

/** The facts that decide its consequence. The rules see neither its workspace nor its files. */
export type AttemptFacts = Omit<JudgedAttempt, "files" | "place" | "prompt">;

/** Keeps the work first, whatever the worker says about it; then validates the return against the contract. */
export async function validateReturn(tools: RunTools, attempt: ReturnedAttempt): Promise<JudgedAttempt> {
  const { delegation, files, end } = attempt;
  const work = await importFinalWork(tools, attempt);
  const source = { returnFile: files.returnFile, finalText: end.finalText, tip: work.tip };
  const verdict = await judgeReturn(tools, delegation, source);
  for (const file of [files.returnFile, files.handoverFile]) await redactFile(file);
  return { ...attempt, work, verdict };
}

export interface ReturnPlaces {
  /** The path that the prompt gave; it takes precedence. */
  readonly returnFile: string;
  readonly finalText: string;
  /** The commit in whose tree artifacts are looked up. */
  readonly tip: string;
}

export async function judgeReturn(
  tools: RunTools,
  delegation: Delegation,
  { returnFile, finalText, tip }: ReturnPlaces,
): Promise<ReturnVerdict> {
  const source = readReturnFile(returnFile) ?? readLastBytes(finalText);
  const { artifactTypes } = await tools.settings();
  return validateReturnBytes(source.bytes, {
    session: delegation.sessionId,
    depth: delegation.depth,
    path: delegation.path,
    identity: buildReturnMetadata(delegation),
    totalBytes: source.totalBytes,
    artifactTypes,
    ...(delegation.work?.review === undefined
      ? {}
      : { reviewed: delegation.work.review.criteria.map(({ id }) => id) }),
    probe: await probeArtifacts(tools, tip, source.bytes),
  });
}

/** The journal names the commit, so that everything afterwards needs neither the workspace nor a process. */
async function importFinalWork(tools: RunTools, { delegation, place }: ReturnedAttempt): Promise<KeptWork> {
  const { id, description, sessionId } = delegation;
  const message = `${safeText(description)}\n\nDelegation: ${id}\nSession: ${sessionId}\n`;
  const work = await place.keepWork(message, true);
  const { tip, base, filesChanged } = work;
  const data = { tip, base, filesChanged: [...filesChanged] };
  await recordEvent(tools, delegation, { type: "work-kept", data });
  await addNotes(tools, delegation, work);
  return work;
}

function readLastBytes(text: string): { readonly bytes: Uint8Array; readonly totalBytes: number } {
  const bytes = Buffer.from(text).subarray(-returnCaps.bytes);
  return { bytes, totalBytes: bytes.length };
}

/** Looks artifacts up in the imported tree, where a link or a device of the workspace counts for nothing. */
async function probeArtifacts(tools: RunTools, tip: string, bytes: Uint8Array): Promise<ArtifactProbe> {
  const read = readReturn(bytes);
  const artifacts: unknown = read.kind === "object" && isRecord(read.value) ? read.value["artifacts"] : [];
  const paths = (Array.isArray(artifacts) ? artifacts : []).flatMap((artifact: unknown) =>
    isRecord(artifact) && typeof artifact["path"] === "string" ? [artifact["path"]] : [],
  );
  const found = await tools.git.probeFiles(tip, paths.slice(0, returnCaps.artifacts));
  return (path) => found.get(path) ?? "missing";
}

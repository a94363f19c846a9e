import type { DelegationRequest } from "../../contract/delegation-request.ts";
import { findMeetings, measureShape } from "./shape.ts";
import type { PlannedPart } from "./split.ts";

const MAX_SHOWN = 3;
const MAX_NAME_LENGTH = 60;

/** Advice against the way a manager just divided its work (R195). It becomes notes; nothing is refused. */
export function adviseBatch(requests: readonly DelegationRequest[]): readonly string[] {
  if (requests.length < 2) return [];
  const parts = requests.map(planPart);
  const { widest } = measureShape(parts, parts.length);
  const meetings = findMeetings(parts).meetings.slice(0, MAX_SHOWN);
  return [
    ...(widest === 1 ? ["advice: each of these parts waits for the one before it; one worker would do"] : []),
    ...meetings.map(
      ({ one, other, at }) =>
        `advice: "${one}" and "${other}" may both change ${at}; one could wait for the other`,
    ),
  ];
}

function planPart(request: DelegationRequest, index: number): PlannedPart {
  const after = (request.depends_on ?? []).flatMap((word) => findEarlier(word, index));
  return {
    name: request.description.slice(0, MAX_NAME_LENGTH),
    hours: request.estimated_hours ?? null,
    after,
    scope: request.file_scope ?? [],
  };
}

/** `#2` is the second request of the same list. */
function findEarlier(word: string, index: number): readonly number[] {
  const place = /^#\d{1,3}$/.test(word) ? Number(word.slice(1)) - 1 : -1;
  return place >= 0 && place < index ? [place] : [];
}

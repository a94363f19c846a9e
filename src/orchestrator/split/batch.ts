import type { DelegationRequest } from "../../contract/delegation-request.ts";
import { meetingsOf, shapeOf } from "./shape.ts";
import type { PlannedPart } from "./split.ts";

const SHOWN = 3;
const LONGEST_NAME = 60;

/** What speaks against dividing it the way a manager just did (R195). Noted with the first of them; nothing is refused. */
export function adviseBatch(requests: readonly DelegationRequest[]): readonly string[] {
  if (requests.length < 2) return [];
  const parts = requests.map(planned);
  const { widest } = shapeOf(parts, parts.length);
  const meetings = meetingsOf(parts).meetings.slice(0, SHOWN);
  return [
    ...(widest === 1 ? ["gate: each of these parts waits for the one before it; one worker would do"] : []),
    ...meetings.map(
      ({ one, other, at }) =>
        `gate: "${one}" and "${other}" may both change ${at}; one could wait for the other`,
    ),
  ];
}

function planned(request: DelegationRequest, index: number): PlannedPart {
  const after = (request.depends_on ?? []).flatMap((word) => earlierPlace(word, index));
  return {
    name: request.description.slice(0, LONGEST_NAME),
    hours: request.estimated_hours ?? null,
    after,
    scope: request.file_scope ?? [],
  };
}

/** `#2` is the second of the same list. */
function earlierPlace(word: string, index: number): readonly number[] {
  const place = /^#\d{1,3}$/.test(word) ? Number(word.slice(1)) - 1 : -1;
  return place >= 0 && place < index ? [place] : [];
}

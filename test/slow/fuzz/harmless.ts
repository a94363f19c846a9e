import type { Random } from "../random.ts";
import type { Sample } from "./samples.ts";

type Fields = Record<string, unknown>;
type Rewrite = (sample: Sample, random: Random) => string;

/** The same return written differently: every one must be accepted. */
export function harmless(sample: Sample, random: Random): readonly [string, Uint8Array] {
  const [name, rewrite] = random.pick(Object.entries(rewrites));
  return [name, Buffer.from(rewrite(sample, random))];
}

const rewrites: Readonly<Record<string, Rewrite>> = {
  "white space": ({ text }, random) =>
    spaceOut(text, () => random.pick(["", " ", "\n", "\t", "\r\n", " ".repeat(random.below(300))])),
  "key order": ({ text }, random) => JSON.stringify(shuffleKeys(JSON.parse(text), random)),
  "prose around": ({ text }, random) =>
    `${random.pick(PROSE)}\n${text}\n${random.pick(PROSE)}${random.pick(["", "\n", "\r\n"])}`,
  fence: ({ text }, random) =>
    `${random.pick(PROSE)}\n\`\`\`${random.pick(["json", "", "JSON "])}\n${text}\n\`\`\`\n`,
  "byte order mark": ({ text }) => `\ufeff${text}`,
  "CRLF line ends": ({ text }) => text.replaceAll("\n", "\r\n"),
  "null for optional": ({ text }, random) => JSON.stringify(addNulls(JSON.parse(text), random)),
  "unknown fields": ({ text }) =>
    JSON.stringify({ ...JSON.parse(text), extra: { deep: [1, { x: null }] }, confidence: 0.9 }),
  "escaped characters": ({ text }, random) => escapeSome(JSON.stringify(JSON.parse(text)), random),
  "an earlier object": ({ text }, random) => `${random.pick(EARLIER)}\n${text}`,
  "an early record first": ({ text, session }) =>
    `${JSON.stringify({ status: "in_progress", metadata: { session_id: session } })}\n${text}`,
  "said twice": ({ text }) => `${text}\n\n${text}`,
  "long summary": ({ text }, random) =>
    JSON.stringify({
      ...JSON.parse(text),
      summary: random.pick(["x", "é", "😀", "汉"]).repeat(1 + random.below(500)),
    }),
  "success alias": ({ text }) => text.replace('"status": "completed"', '"status": "implemented"'),
};

const PROSE = [
  "All done.",
  "Here is the return:",
  "It's \"quoted\" and `ticked`, 100 % [really] (yes): see a/b.ts:12, don't worry.",
  "Zeile mit Umlauten äöü und 😀",
  "\u001b[32mgreen\u001b[0m",
  "#".repeat(500),
  "",
];

const EARLIER = [
  "{}",
  '{"status":"completed","summary":"an example","artifacts":[],"metadata":{"session_id":"sess_1111111111_aaaaaa"}}',
  '[{"type":"tool_use","input":{"path":"a"}}]',
  "The shape is {status, summary} and {{name}}.",
  "if (a) { b(); }",
];

function spaceOut(text: string, space: () => string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g, (token) => `${space()}${token}${space()}`);
}

function shuffleKeys(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleKeys(item, random));
  if (typeof value !== "object" || value === null) return value;
  const keyed = Object.entries(value).map(([key, field]) => ({ key, field, rank: random.next() }));
  keyed.sort((left, right) => left.rank - right.rank);
  return Object.fromEntries(keyed.map(({ key, field }) => [key, shuffleKeys(field, random)]));
}

/** `null` where a field may be left out: several agents write it. */
function addNulls(value: Fields, random: Random): Fields {
  const { artifacts, errors, metadata } = value;
  const filled: Fields = {
    ...value,
    metadata: { ...record(metadata), duration_seconds: null, phase_count: null },
  };
  if (random.chance(0.5)) filled["next_steps"] = null;
  if (random.chance(0.5))
    filled["artifacts"] = list(artifacts).map((item) => Object.assign(record(item), { summary: null }));
  if (random.chance(0.5))
    filled["errors"] = list(errors).map((item) => Object.assign(record(item), { code: null }));
  if (list(errors).length === 0 && random.chance(0.5)) filled["errors"] = null;
  return filled;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function escapeSome(json: string, random: Random): string {
  const escape = (letter: string): string => `\\u00${letter.charCodeAt(0).toString(16)}`;
  return json.replaceAll(/"[^"\\]*"/g, (token) =>
    token.replaceAll(/[A-Za-z]/g, (letter) => (random.chance(0.05) ? escape(letter) : letter)),
  );
}

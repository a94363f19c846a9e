import type { Random } from "../random.ts";
import { changeStructure } from "./change-structure.ts";
import { harmless } from "./harmless.ts";
import { envelopes, harshBytes, harshTokens } from "./hostile-values.ts";
import type { Sample } from "./samples.ts";

export interface Mutant {
  readonly how: string;
  readonly bytes: Uint8Array;
  readonly session: string;
  /** Known to mean the same as the sample: refusing it is a fault. */
  readonly harmless: boolean;
}

/** One changed return, or one that is only written differently. */
export function mutate(samples: readonly Sample[], random: Random): Mutant {
  const sample = random.pick(samples);
  const { session } = sample;
  const kind = random.below(10);
  if (kind === 0) {
    const [how, bytes] = harmless(sample, random);
    return { how: `harmless: ${how}`, bytes, session, harmless: true };
  }
  const build = random.pick(
    kind < 3 ? [changeBytes] : kind < 5 ? [changeTokens] : kind < 9 ? [restructure] : [wrap],
  );
  return { ...build(sample, random, samples), session, harmless: false };
}

type Change = { readonly how: string; readonly bytes: Uint8Array };

function changeBytes(sample: Sample, random: Random, samples: readonly Sample[]): Change {
  let bytes: Buffer = Buffer.from(sample.text);
  const rounds = 1 + random.below(3);
  for (let round = 0; round < rounds; round += 1) bytes = changeOnce(bytes, random, samples);
  return { how: "bytes", bytes };
}

function changeOnce(bytes: Buffer, random: Random, samples: readonly Sample[]): Buffer {
  const at = random.below(bytes.length + 1);
  const length = random.below(random.chance(0.7) ? 4 : bytes.length);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  switch (random.below(8)) {
    case 0:
      return flipBit(bytes, at, random);
    case 1:
      return Buffer.concat([before, Buffer.from([random.below(256)]), after]);
    case 2:
      return Buffer.concat([before, after.subarray(length)]);
    case 3:
      return Buffer.concat([before, after.subarray(0, length), after]);
    case 4:
      return before;
    case 5:
      return Buffer.concat([before, random.pick(harshBytes), after]);
    case 6:
      return Buffer.concat([before, random.pick(harshBytes), after.subarray(length)]);
    default:
      return Buffer.concat([before, Buffer.from(random.pick(samples).text).subarray(random.below(400))]);
  }
}

function flipBit(bytes: Buffer, at: number, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
  return copy;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+|\s+/g;

function changeTokens(sample: Sample, random: Random): Change {
  const tokens = sample.text.match(TOKEN) ?? [];
  const rounds = 1 + random.below(3);
  for (let round = 0; round < rounds; round += 1) {
    const at = random.below(tokens.length);
    const token = tokens[at] ?? "";
    const other = random.below(tokens.length);
    const replacements = [
      [],
      [token, token],
      [random.pick(harshTokens)],
      [tokens[other] ?? "", token],
      [tokens[other] ?? ""],
    ];
    tokens.splice(at, 1, ...random.pick(replacements));
  }
  return { how: "tokens", bytes: Buffer.from(tokens.join("")) };
}

function restructure(sample: Sample, random: Random, samples: readonly Sample[]): Change {
  let value: unknown = JSON.parse(sample.text);
  const rounds = 1 + random.below(2);
  for (let round = 0; round < rounds; round += 1) value = changeStructure(value, random, samples);
  const text = JSON.stringify(value) ?? "";
  return { how: "structure", bytes: Buffer.from(random.chance(0.2) ? addKey(text, random) : text) };
}

/** A key that is there twice, or an unknown one. */
function addKey(text: string, random: Random): string {
  const keys = [...text.matchAll(/"\w+":/g)];
  if (keys.length === 0) return text;
  const { index, 0: key } = random.pick(keys);
  const added = random.chance(0.5) ? key : '"unknown":';
  return `${text.slice(0, index)}${added}${random.pick(harshTokens)},${text.slice(index)}`;
}

/** Prose, fences and other objects around; some are harmless, so nothing is said about refusing them. */
function wrap(sample: Sample, random: Random, samples: readonly Sample[]): Change {
  const parts = [sample.text];
  const rounds = 1 + random.below(3);
  for (let round = 0; round < rounds; round += 1) {
    const other = random.chance(0.3) ? random.pick(samples).text : random.pick(envelopes);
    if (random.chance(0.5)) parts.unshift(other);
    else parts.push(other);
  }
  const text = parts.join(random.pick(["", " ", "\n", "\r\n", "\n```\n", "`"]));
  return {
    how: "envelope",
    bytes: Buffer.from(random.chance(0.2) ? text.slice(0, random.below(text.length)) : text),
  };
}

const SESSION = "sess_1735460684_a1b2c3";

export interface Pathological {
  readonly name: string;
  /** An input of about `size` bytes. */
  readonly build: (size: number) => Uint8Array;
}

type Build = (size: number) => string;

const shapes: Readonly<Record<string, Build>> = {
  "unclosed brackets": repeat("["),
  "unclosed braces": repeat("{"),
  "unclosed objects": repeat('{"a":'),
  "brace, quote": repeat('{"'),
  "quote, brace": repeat('"{'),
  "brace, quote, brace": repeat('{"{'),
  "brace, quote, close": repeat('{"}'),
  "quotes and words": repeat('{"{"X'),
  "brace, digit": repeat("{1"),
  "brace, minus": repeat("{-"),
  "brace, NUL": repeat("{\u0000"),
  "key without colon": repeat('{"a"1'),
  "dangling comma": repeat('{"a":1,'),
  "mismatched closers": repeat('{"a":[1,{"b":"{"]]'),
  "empty objects": repeat("{}"),
  "objects with our session": repeat(`{"a":"${SESSION}"}`),
  "31 levels, then a fault": repeat(`${'{"a":'.repeat(31)}X`),
  "braces in a broken string": (size) => `{"${fill("{", size)}\n`,
  "lines of braces in strings": repeat(`{"${"{".repeat(22)}\n`),
  "escaped quotes, then a line end": (size) => `{"${fill('{\\"', size)}\n`,
  backslashes: (size) => `{"${fill("\\", size)}`,
  "braces and spaces": repeat(`{${" ".repeat(100)}`),
  "spaces after a fence": (size) => `\`\`\`json${fill(" ", size)}\n{}`,
  "2,000 spaces after a fence": () => `\`\`\`json${" ".repeat(2000)}\n{}`,
  NULs: repeat("\u0000"),
  "one word": repeat("a"),
  "one number": repeat("1"),
  "a list of numbers": (size) => `[${list("1", size)}]`,
  "long summary": (size) => document({ summary: `"${fill("a", size)}"` }),
  "escapes in the summary": (size) => document({ summary: `"${fill("\\u0041", size)}"` }),
  "blank summary": (size) => document({ summary: `"${fill(" ", size)}"` }),
  "status is a list": (size) => document({ status: `[${list("1", size)}]` }),
  "numbers as artifacts": (size) => document({ artifacts: `[${list("1", size)}]` }),
  "empty artifacts": (size) => document({ artifacts: `[${list("{}", size)}]` }),
  "one long path": (size) => document({ artifacts: `[{"type":"plan","path":"${fill("a/", size)}"}]` }),
  "paths that climb": (size) => document({ artifacts: `[${list(climbing, size)}]` }),
  "numbers as errors": (size) => document({ errors: `[${list("1", size)}]` }),
  "long next steps": (size) => document({ next_steps: `"${fill("a", size)}"` }),
  "many fields": (size) => document({ x: `{${keys(size, "1")}}` }),
  "many metadata fields": (size) => metadata(keys(size, "1")),
  "many null metadata fields": (size) => metadata(keys(size, "null")),
  "one key again and again": (size) => metadata(`"x":{${list('"a":1', size)}}`),
  "texts as task numbers": (size) => metadata(`"task_numbers":[${list('""', size)}]`),
  "fractions as task numbers": (size) => metadata(`"task_numbers":[${list("1.5", size)}]`),
  "many task numbers": (size) => metadata(`"task_numbers":[${list("1", size)}]`),
  "empty conflict details": (size) => metadata(`"conflict_details":[${list("{}", size)}]`),
  "numbers as files": (size) => metadata(`"files_updated":[${list("1", size)}]`),
  "a long agent path": (size) => metadata(`"agent_type":"a","delegation_path":[${list('"a"', size)}]`),
  "many small objects": (size) => metadata(`"x":[${list("{}", size)}]`),
  "many small lists": (size) => metadata(`"x":[${list("[[]]", size)}]`),
  "many words": (size) => metadata(`"x":[${list("true", size)}]`),
  "many long numbers": (size) => metadata(`"x":[${list("1".repeat(60), size)}]`),
};

/** Shapes that make careless readers slow, each built for any size so that growth can be seen. */
export const pathological: readonly Pathological[] = Object.entries(shapes).map(([name, text]) => ({
  name,
  build: (size) => Buffer.from(text(size)),
}));

/** Far above the cap: they must be refused without being read. */
export const oversized: readonly { readonly name: string; readonly bytes: () => Uint8Array }[] = [
  { name: "100 MB summary", bytes: () => Buffer.from(document({ summary: `"${"a".repeat(100_000_000)}"` })) },
  { name: "200,000 levels", bytes: () => Buffer.from(`${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`) },
  { name: "200,000 lists", bytes: () => Buffer.from(`${"[".repeat(200_000)}${"]".repeat(200_000)}`) },
  { name: "100 MB of braces", bytes: () => Buffer.alloc(100_000_000, "{") },
];

const climbing = `{"type":"plan","path":"${"../".repeat(300)}"}`;

function repeat(unit: string): Build {
  return (size) => fill(unit, size);
}

function fill(unit: string, size: number): string {
  return unit.repeat(Math.floor(size / unit.length));
}

function list(item: string, size: number): string {
  return Array.from({ length: Math.ceil(size / (item.length + 1)) }, () => item).join(",");
}

function keys(size: number, value: string): string {
  return Array.from(
    { length: Math.floor(size / (9 + value.length)) },
    (_, index) => `"k${index}":${value}`,
  ).join(",");
}

function document(fields: Readonly<Record<string, string>>): string {
  const all = { status: '"completed"', summary: '"One. Two."', artifacts: "[]", ...fields };
  const body = Object.entries(all).map(([name, json]) => `"${name}":${json}`);
  return `{${body.join(",")},"metadata":{"session_id":"${SESSION}","success_count":1}}`;
}

function metadata(fields: string): string {
  return `{"status":"completed","summary":"One. Two.","artifacts":[],"metadata":{"session_id":"${SESSION}",${fields}}}`;
}

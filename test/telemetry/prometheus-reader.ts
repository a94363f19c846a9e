/** One sample as Prometheus would store it. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

/**
 * Reads the text format by its published rules and throws on whatever Prometheus would refuse: a sample without its type,
 * a name twice, a bad label, buckets that fall.
 */
export function readPrometheusText(text: string): ReadonlyMap<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const seen = new Set<string>();
  let current = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) ([a-z_][a-z0-9_]*) (.+)$/i.exec(line);
    if (comment !== null) {
      const [, keyword, name = "", rest = ""] = comment;
      if (keyword === "HELP" && families.has(name)) throw new Error(`${name} twice`);
      if (keyword === "HELP") families.set(name, { type: "", help: rest, samples: [] });
      const family = families.get(name);
      if (family === undefined) throw new Error(`TYPE of ${name} before its HELP`);
      if (keyword === "TYPE") family.type = rest;
      current = name;
      continue;
    }
    const sample = readSample(line);
    const family = families.get(current);
    if (family === undefined || !belongsTo(sample.name, current, family.type))
      throw new Error(`${line} is not below its type`);
    const key = JSON.stringify([
      sample.name,
      Object.entries(sample.labels)
        .map(String)
        .toSorted((one, other) => one.localeCompare(other)),
    ]);
    if (seen.has(key)) throw new Error(`${line} twice`);
    seen.add(key);
    family.samples.push(sample);
  }
  for (const [name, { type, samples }] of families) if (type === "histogram") checkBuckets(name, samples);
  return families;
}

function belongsTo(sample: string, family: string, type: string): boolean {
  if (type === "histogram") return ["_bucket", "_sum", "_count"].some((end) => sample === `${family}${end}`);
  return sample === family && (type === "gauge" || (type === "counter" && family.endsWith("_total")));
}

function readSample(line: string): Sample {
  const name = /^[a-z_][a-z0-9_]*/i.exec(line)?.[0] ?? "";
  let at = name.length;
  const labels: Record<string, string> = {};
  if (line[at] === "{") {
    at += 1;
    while (line[at] !== "}") {
      const label = /^([a-z_][a-z0-9_]*)="((?:[^"\\]|\\[\\n"])*)",?/i.exec(line.slice(at));
      if (label === null) throw new Error(`${line}: no label at ${at}`);
      const [whole, key = "", value = ""] = label;
      labels[key] = value.replaceAll(/\\(.)/g, (_, one: string) => (one === "n" ? "\n" : one));
      at += whole.length;
    }
    at += 1;
  }
  const value = /^ (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(line.slice(at))?.[1];
  if (name === "" || value === undefined) throw new Error(`${line} is no sample`);
  return { name, labels, value: Number(value) };
}

function checkBuckets(name: string, samples: readonly Sample[]): void {
  const series = new Map<string, Sample[]>();
  for (const sample of samples.filter((one) => one.name === `${name}_bucket`)) {
    const { le: _, ...rest } = sample.labels;
    const key = JSON.stringify(rest);
    series.set(key, [...(series.get(key) ?? []), sample]);
  }
  for (const buckets of series.values()) {
    const bounds = buckets.map(({ labels }) => (labels["le"] === "+Inf" ? Infinity : Number(labels["le"])));
    if (bounds.at(-1) !== Infinity) throw new Error(`${name} has no bucket for everything`);
    for (const [index, { value }] of buckets.entries()) {
      const next = buckets[index + 1];
      if (next === undefined) break;
      if (next.value < value || (bounds[index + 1] ?? 0) <= (bounds[index] ?? 0))
        throw new Error(`the buckets of ${name} fall`);
    }
  }
}

/** The value of one sample; undefined where there is none. */
export function sampleOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return [...families.values()]
    .flatMap(({ samples }) => samples)
    .find(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    )?.value;
}

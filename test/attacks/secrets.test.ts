import fc from "fast-check";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import { JournalWriter } from "../../src/journal/sqlite/journal-writer.ts";
import { openForWriting } from "../../src/journal/sqlite/open-database.ts";
import { credentials, lookAlikes } from "./credential-table.ts";
import { learnSecrets } from "../../src/redaction/learn-secrets.ts";
import { REDACTED, redactCredentials, redactValue } from "../../src/redaction/redact.ts";

describe("the redaction of credentials", () => {
  it("is tested with at least 80 formats and 30 look-alikes", () => {
    expect(credentials.length).toBeGreaterThanOrEqual(80);
    expect(lookAlikes.length).toBeGreaterThanOrEqual(30);
    expect(new Set(credentials.map(({ name }) => name)).size).toBe(credentials.length);
  });

  it.each(credentials)("removes this format: $name (R121)", ({ text, secret }) => {
    const { text: redacted, count } = redactCredentials(text);
    expect(redacted).not.toContain(secret);
    expect(redacted).toContain(REDACTED);
    expect(count).toBeGreaterThan(0);
    expect(redactCredentials(redacted)).toStrictEqual({ text: redacted, count: 0 });
  });

  it.each(lookAlikes)("leaves %j (R121)", (text) => {
    expect(redactCredentials(text)).toStrictEqual({ text, count: 0 });
  });
});

describe("a redaction", () => {
  const pieces = fc.oneof(
    fc.constantFrom(...credentials.map(({ text }) => text)),
    fc.constantFrom(...lookAlikes),
    fc.string({
      unit: fc.constantFrom("a", "Z", "7", " ", "\n", '"', "'", ":", "=", "/", "@", "-", "%", "\\", "<", ">"),
    }),
  );

  it("changes nothing the second time, whatever is next to a credential", () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 6 }),
        fc.constantFrom("", " ", "\n", "=", ":"),
        (parts, glue) => {
          const once = redactCredentials(parts.join(glue)).text;
          expect(redactCredentials(once).text).toBe(once);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("keeps the structure of a value: keys, numbers, order and depth", () => {
    const value = {
      b: [1, { ["ghp_key"]: credentials.map(({ text }) => text) }],
      a: null,
      c: true,
      id: "S-1",
    };
    const { value: redacted, count } = redactValue(value);
    expect(count).toBeGreaterThanOrEqual(credentials.length);
    expect(shape(redacted)).toStrictEqual(shape(value));
    const stored = JSON.stringify(redacted);
    for (const { secret } of credentials) expect(stored).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  it.each([
    ["words", "a word, another word and a third one. "],
    ["names without a value", "password= token: secret "],
    ["names in a row", "password=password="],
    ["addresses", "://a:b@ https://x "],
    ["an address without an end", "://a:"],
    ["keys without an end", "-----BEGIN "],
    ["quotes", 'password: "'],
    ["cookies", "Cookie: a"],
    ["almost tokens", "ghp_ sk- AKIA eyJ "],
    ["one long word", "aB3"],
    ["percent signs", "%3D%"],
    ["invisible characters", "a\u200b"],
    ["flags", " --password -u -p curl mysql"],
  ])("takes time in proportion to the text: %s", (_name, unit) => {
    const measure = (bytes: number): number => {
      const text = unit.repeat(Math.ceil(bytes / unit.length));
      const rounds = Array.from({ length: 3 }, () => {
        const before = process.cpuUsage().user;
        redactCredentials(text);
        return process.cpuUsage().user - before;
      });
      return Math.min(...rounds);
    };
    measure(10_000);
    // Ten times the text takes about ten times as long, a hundred times if it grew with the square. Below 10 ms, chance decides.
    expect(measure(500_000)).toBeLessThan(35 * Math.max(measure(50_000), 10_000));
  });
});

describe("the redaction of the journal", () => {
  it.each([
    ["keeps every credential out", undefined, 0],
    ["lets every credential in if it changes nothing (control)", (data: unknown) => data, credentials.length],
  ] as const)("%s", (_name, redact, expected) => {
    const folder = mkdtempSync(join(tmpdir(), "ambit-door-"));
    const database = openForWriting(join(folder, "ambit.db"));
    onTestFinished(() => {
      database.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const writer = new JournalWriter(database, systemClock, redact);
    const stored = credentials.filter(({ text, secret }) => {
      const about = { story: "S", delegation: null, attempt: 0 };
      writer.append({ type: "note-added", ...about, data: { text } });
      const body = database.text("SELECT body AS value FROM events ORDER BY seq DESC LIMIT 1");
      return String(JSON.parse(body).data.text).includes(secret);
    });
    expect(stored).toHaveLength(expected);
  });
});

describe("a secret value of the environment", () => {
  const value = "plum;Kettle/91 violet";
  learnSecrets({
    CANARY_TOKEN: value,
    OTHER_SECRET: "short",
    CANARY_KEY_FILE: "/home/user/key-file-of-this-test",
    HOME_TOKEN: "/home/user/token-of-this-test",
    PLAIN_PASSWORD: "ordinaryword",
    EDITOR_NAME: "unusual-Editor-4711-of-this-test",
    CANARY_DATABASE_URL: "postgres://app:Zw9-plum-44@db.example/x",
  });

  it.each([
    ["as it is", value],
    ["percent-encoded", encodeURIComponent(value)],
    ["in JSON", JSON.stringify({ value })],
    ["in base64", Buffer.from(value).toString("base64")],
    ["in base64 with something before it", Buffer.from(`x:${value}`).toString("base64")],
    ["in base64 with something around it", Buffer.from(`user:${value}!`).toString("base64")],
    ["in base64 for addresses", Buffer.from(`~${value}~`).toString("base64url")],
    ["with invisible characters inside", Array.from(value).join("\u200b")],
  ])("is removed %s (R121)", (_name, form) => {
    const { text, count } = redactCredentials(`before ${form} after`);
    expect(count).toBeGreaterThan(0);
    expect(text).not.toContain("Kettle");
    expect(text).not.toContain(Buffer.from("Kettle/9").toString("base64").slice(0, 8));
    expect(redactCredentials(text).text).toBe(text);
  });

  it("is removed from commands and compared texts, too", () => {
    expect(redactCredentials(`deploy ${value}`, "exact").text).toBe(`deploy ${REDACTED}`);
  });

  it.each([
    "a short one",
    "/home/user/key-file-of-this-test",
    "/home/user/token-of-this-test",
    "an ordinaryword",
    "unusual-Editor-4711-of-this-test",
  ])("is not assumed if it is short, a path, a word or the value of an ordinary name: %s", (text) => {
    expect(redactCredentials(text)).toStrictEqual({ text, count: 0 });
  });
});

/** The value with each text replaced by its type. */
function shape(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, part: unknown) => (typeof part === "string" ? "text" : part)),
  );
}

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REDACTED, redactCredentials, redactValue } from "../../src/redaction/redact.ts";

/** Put together here, so that no scanner takes the test for a leak. */
const token = (prefix: string, length: number): string => prefix + "a1B2".repeat(length).slice(0, length);
const pem = (kind: string): string =>
  [`-----BEGIN ${kind}-----`, "MIIEvQIBADANBg", "kqhkiG9w0BAQEF", `-----END ${kind}-----`].join("\n");

describe("a credential in a text", () => {
  it.each([
    ["a GitHub token", `use ${token("ghp_", 36)} for it`, `use ${REDACTED} for it`],
    ["an API key", `key: "${token("sk-ant-", 40)}",`, `key: "${REDACTED}",`],
    ["an AWS key id", `${token("AKIA", 16)} is the id`, `${REDACTED} is the id`],
    ["a JSON web token", `Authorization: Bearer ${token("eyJ", 60)}`, `Authorization: Bearer ${REDACTED}`],
    [
      "a bearer",
      "curl -H 'Authorization: Bearer abcdef123456'",
      `curl -H 'Authorization: Bearer ${REDACTED}'`,
    ],
    ["an assignment", "DB_PASSWORD=hunter2 npm start", `DB_PASSWORD=${REDACTED} npm start`],
    ["a value that reads as a name", "DB_PASSWORD=hunter2secret", `DB_PASSWORD=${REDACTED}`],
    ["a word that reads as a name", "DB_PASSWORD=topsecret", `DB_PASSWORD=${REDACTED}`],
    ["a quoted one", 'set "api_key":"abcd1234" there', `set "api_key":"${REDACTED}" there`],
    ["one in two words", "the password: correct-horse, and go", `the password: ${REDACTED}, and go`],
    [
      "a password in an address",
      "postgres://app:s3cr3t@db.example/x",
      `postgres://app:${REDACTED}@db.example/x`,
    ],
    ["a private key", `here:\n${pem("RSA PRIVATE KEY")}\nend`, `here:\n${REDACTED}\nend`],
    ["one inside JSON", '{"a":"password=hunter2"},{"b":"x y"}', `{"a":"password=${REDACTED}"},{"b":"x y"}`],
    ["half a private key", `-----BEGIN PRIVATE KEY-----\nMIIEvQ`, REDACTED],
  ])("is removed: %s (R121)", (_name, text, expected) => {
    expect(redactCredentials(text)).toStrictEqual({ text: expected, count: 1 });
  });

  it.each([
    "Please provide DB_HOST and DB_PASSWORD for staging",
    "Checked .env file (not found)",
    "password: required",
    "the token is $GITHUB_TOKEN, set API_KEY=${API_KEY}",
    "password=<yours> and secret: ***",
    "see https://example.org/path?x=1 and mailto:a@b.example",
    "git@github.com:owner/name.git at 12:30",
    pem("CERTIFICATE"),
    "tokens: 4000 used of 100000; token count=4000",
    "All 127 tests pass: ok",
  ])("is not found in %j (R121)", (text) => {
    expect(redactCredentials(text)).toStrictEqual({ text, count: 0 });
  });

  it("is removed from every text inside a value, and from fields whose name says so (R121)", () => {
    const body = {
      type: "answer",
      answer: "DB_PASSWORD=hunter2",
      list: [{ password: "hunter2", count: 3 }],
      db_token: ["abcdef"],
    };
    expect(redactValue(body)).toStrictEqual({
      value: {
        type: "answer",
        answer: `DB_PASSWORD=${REDACTED}`,
        list: [{ password: REDACTED, count: 3 }],
        db_token: [REDACTED],
      },
      count: 3,
    });
  });

  it("never remains, whatever surrounds it, and a redacted text is not changed again", () => {
    const words = fc.string({ unit: fc.constantFrom("a", " ", "\n", '"', ",", "é", "-", "1") });
    fc.assert(
      fc.property(words, words, (before, after) => {
        const secret = token("ghp_", 36);
        const { text } = redactCredentials(`${before} ${secret} ${after}`);
        expect(text).not.toContain(secret);
        expect(redactCredentials(text).text).toBe(text);
      }),
    );
  });

  it("is searched for in less than two seconds of CPU time in a megabyte of hostile text", () => {
    const text = "://a:b@ password= -----BEGIN ".repeat(40_000);
    // CPU time: the limit holds on a busy machine, too.
    const before = process.cpuUsage();
    redactCredentials(text);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
  });
});

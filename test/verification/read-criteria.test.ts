import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeText } from "../../src/base/safe-text.ts";
import { criterionSchema } from "../../src/contract/task.ts";
import { type CriterionSource, readCriteria } from "../../src/verification/read-criteria.ts";

const TESTS = { testCommand: "npm test" };

const checksOf = (text: string) => readCriteria([text], TESTS).criteria.map(({ check }) => check);
const codesOf = (text: string) => readCriteria([text], TESTS).warnings.map(({ code }) => code);

describe("a criterion that says how its command runs", () => {
  it.each([
    ["`npm test` passes within 90 seconds", { timeoutSeconds: 90 }],
    ["`npm test` passes within 90s.", { timeoutSeconds: 90 }],
    ["`npm test` passes in under 5 minutes", { timeoutSeconds: 300 }],
    ["`npm test` exits with code 0 within 2 h with 3 retries", { timeoutSeconds: 7200, retries: 3 }],
    ["`npm test` passes, with one retry, within 5 min", { timeoutSeconds: 300, retries: 1 }],
    ["`npm test` passes without retries", { retries: 0 }],
    ["npm test passes within 20 seconds", { timeoutSeconds: 20 }],
    ["All tests pass within 20 seconds, with up to 2 retries", { timeoutSeconds: 20, retries: 2 }],
  ])("has its time limit and retries read: %s", (text, terms) => {
    expect(checksOf(text)).toStrictEqual([{ command: "npm test", ...terms }]);
    expect(codesOf(text)).toStrictEqual([]);
  });

  it("leaves limits that no check can keep to a person", () => {
    for (const rest of ["within 9 hours", "within 90", "within reason", "with 7 retries", "within 0 s"])
      expect([rest, checksOf(`\`npm test\` passes ${rest}`)]).toStrictEqual([
        rest,
        [{ command: "npm test" }, { manual: true }],
      ]);
    expect(checksOf("`a.txt` exists within 5 seconds")).toStrictEqual([{ file: "a.txt" }, { manual: true }]);
  });
});

describe("a criterion that names a command", () => {
  it.each([
    ["npm test exits with code 0", "npm test"],
    ["npm test exits 0", "npm test"],
    ["`make lint` passes", "make lint"],
    ["`make` passes", "make"],
    ["running `x y` exits 0", "x y"],
    ["running `x y` succeeds", "x y"],
    ["Run `x y`", "x y"],
    ["`npm run build`", "npm run build"],
    ["Run `npm run build` without errors", "npm run build"],
    ["`cargo test --all` is green", "cargo test --all"],
    ["`npx tsc --noEmit` reports no errors", "npx tsc --noEmit"],
    ["`npx tsc` has 0 type errors", "npx tsc"],
    ["`npm run e2e` works as expected", "npm run e2e"],
    ["`CI=1 npm test` passes", "CI=1 npm test"],
    ["`! grep -rn TODO src` succeeds", "! grep -rn TODO src"],
    ["`cd web && npm test` passes", "cd web && npm test"],
    ["`test -f docs/x.md` succeeds", "test -f docs/x.md"],
    ["`[ -s a.txt ]` succeeds", "[ -s a.txt ]"],
    ["`./scripts/check.sh` passes", "./scripts/check.sh"],
    ["`scripts/check` succeeds", "scripts/check"],
    ["`mytool check --all` passes", "mytool check --all"],
    ["`login` exits with code 0", "login"],
    ["`true` exits with code 0", "true"],
    ["The command `foo bar` returns exit code 0", "foo bar"],
    ["`foo bar` exits with status zero", "foo bar"],
    ["`foo bar` exits cleanly", "foo bar"],
    ["`npm test`: exit code 0", "npm test"],
    ["`npm test` → exit 0", "npm test"],
    ["`npm test` must still pass.", "npm test"],
    ["Ensure that `npm test` passes", "npm test"],
    ["- [ ] `npm test` passes", "npm test"],
    ["Verify with `npm test`", "npm test"],
    ["Tested with `pytest`", "pytest"],
    ["Type checking passes: `npm run types`", "npm run types"],
    ["All unit tests pass (`npm run unit`)", "npm run unit"],
    ["All unit tests pass (npm run unit)", "npm run unit"],
    ["No lint errors (`npm run lint`)", "npm run lint"],
    ["Make sure npm run lint passes", "npm run lint"],
    ["go test ./... passes", "go test ./..."],
    ["cargo clippy exits with code 0", "cargo clippy"],
    ["pytest passes", "pytest"],
    ["node cli.js exits with code 0", "node cli.js"],
    ["bin/check exits with code 0", "bin/check"],
    ["`uv run pytest -q` passes", "uv run pytest -q"],
    ["`lake build` succeeds", "lake build"],
    ["`git diff --exit-code` succeeds", "git diff --exit-code"],
    ["`.venv/bin/pytest` passes", ".venv/bin/pytest"],
    ["`.venv/bin/python -m pytest` passes", ".venv/bin/python -m pytest"],
    ["`venv/bin/pytest` passes", "venv/bin/pytest"],
    ["`(cd api && npm test)` passes", "(cd api && npm test)"],
    ["`. .venv/bin/activate && pytest` passes", ". .venv/bin/activate && pytest"],
    ["`source .venv/bin/activate && pytest` passes", "source .venv/bin/activate && pytest"],
    ["`script/test` passes", "script/test"],
    ["`$HOME/bin/x test` passes", "$HOME/bin/x test"],
    ["`${GOPATH}/bin/golint ./...` passes", "${GOPATH}/bin/golint ./..."],
    ["`~/go/bin/staticcheck ./...` passes", "~/go/bin/staticcheck ./..."],
    ["`.github/test.sh` passes", ".github/test.sh"],
    ["`./Build.sh --all` passes", "./Build.sh --all"],
    ["`poe test` passes", "poe test"],
    ["`mytool check` passes", "mytool check"],
  ])("%j is checked by running %j (R177)", (text, command) => {
    const { criteria, warnings } = readCriteria([text], { testCommand: null });
    expect(criteria).toStrictEqual([
      { id: "c1", text: text.trim(), required: true, check: { command }, verdict: "unverified" },
    ]);
    expect(warnings).toStrictEqual([]);
  });

  it.each([
    "`foo()` works",
    "`foo()` exits with code 0",
    "`foo(a, b)` passes",
    "`UserService` passes",
    "`UserService` exits with code 0",
    "`user.name` passes",
    "`src/a.ts` passes",
    "`src/a.ts` compiles",
    "`README.md` passes",
    "`docs/` passes",
    "`--verbose` works",
    "`.env` passes",
    "`null` works",
    "`42` passes",
    "`login` succeeds",
    "`login` works",
    "`npm` works",
    "`git` passes",
    "`npm run <script>` passes",
    "`npm run {name}` passes",
    "`npm run ...` passes",
    "`const x = 1` compiles",
    "`x = 1` exits with code 0",
    "`a + b` passes",
    "`return null` works",
    "`SELECT 1` succeeds",
    "`GET /users` passes",
    "`GET /users` returns 200",
    "`POST /login` succeeds",
    "`Authorization: Bearer x` works",
    "`string | undefined` passes",
    "`x => y` passes",
    '`{ "a": 1 }` passes',
    '`<div class="a">` passes',
    "`@deprecated tag` works",
    "`echo server` works",
    "`node pool` works",
    "`go routine` works",
    "`users/login` passes",
    "`Users/Login` passes",
    "`(a + b)` passes",
    "`(user login)` works",
    "`.gitignore` passes",
    "`source code` passes",
    "`$HOME` passes",
    "`/login` works",
    "`make sure it` works",
    "Docs mention `npm test`",
    "README explains how the build passes (`npm test`)",
    "Implement `npm test`",
    "Replace `npm test` by a script",
    "``npm test`` passes",
    "`npm test passes",
    "` ` passes",
    "The process exits with code 0",
    "The script passes",
    "make sure it works on phones",
    "make use of the cache passes",
    "go live succeeds",
    "docker images build",
    "python code passes",
    "git history is clean",
    "find a way that passes",
    "npm works",
    "npm test; echo done",
    "npm test && rm -rf x passes",
  ])("%j is left to a manager or a person", (text) => {
    expect(checksOf(text)).toStrictEqual(checksOf(text).map(() => ({ manual: true })));
  });

  it.each([
    "`grep -r TODO src` finds nothing",
    "`node cli.js --version` prints 1.2.3",
    "`npm test` does not pass",
    "`npm test` passes unless offline",
    "`npm test` passes only on Linux",
    "`npm test` exits with code 0 or 1",
    "`npm test` exits with code 1",
    "`npm test` fails",
    "`npm test` is documented",
    "`npm test` and `npm run lint` fail",
    "`npm test` and the linter pass",
    "`user login` succeeds",
    "`mytool deploy` passes",
  ])("%j causes a warning, because nothing will be run", (text) => {
    const { criteria, warnings } = readCriteria([text], TESTS);
    expect(criteria).toStrictEqual([
      { id: "c1", text, required: true, check: { manual: true }, verdict: "unverified" },
    ]);
    expect(warnings).toMatchObject([{ code: "COMMAND_NOT_CHECKED", criterionId: "c1" }]);
    expect(warnings[0]?.message).toContain("exits with code 0");
  });

  it("refuses a command that looks different from what it is", () => {
    const text = "`npm test\u{202e}` passes";
    expect(checksOf(text)).toStrictEqual([{ manual: true }]);
    expect(codesOf(text)).toStrictEqual(["HIDDEN_CHARACTERS"]);
  });
});

describe("a criterion about tests", () => {
  it.each([
    "All tests pass",
    "tests pass",
    "the test suite passes",
    "The test suite is green.",
    "All existing tests still pass",
    "All new and existing tests pass",
    "All unit tests are passing",
    "no failing tests",
    "No tests fail",
    "The project's test suite passes",
  ])("%j becomes the project's test command", (text) => {
    expect(readCriteria([text], { testCommand: "make check" })).toMatchObject({
      criteria: [{ text, check: { command: "make check" } }],
      warnings: [],
    });
  });

  it.each(["Tests are added", "Integration tests pass", "Not all tests pass", "Tests for the parser pass"])(
    "%j does not become a command",
    (text) => {
      expect(checksOf(text)).toStrictEqual([{ manual: true }]);
    },
  );

  it.each([null, "", "  "])("says which setting is missing when the test command is %j", (testCommand) => {
    const { criteria, warnings } = readCriteria(["All tests pass"], { testCommand });
    expect(criteria).toMatchObject([{ check: { manual: true }, required: true, verdict: "unverified" }]);
    expect(warnings).toStrictEqual([
      {
        code: "NO_TEST_COMMAND",
        criterionId: "c1",
        message:
          'Criterion "All tests pass" cannot be run: the project names no test command. Set verification.test in ambit.yaml, for example "npm test", or name the command in the criterion.',
      },
    ]);
  });
});

describe("a criterion about files", () => {
  it.each([
    ["file docs/x.md exists", { file: "docs/x.md" }],
    ["`docs/x.md` exists", { file: "docs/x.md" }],
    ["docs/x.md exists.", { file: "docs/x.md" }],
    ["The file `NOTES` is present", { file: "NOTES" }],
    ["`Makefile` exists", { file: "Makefile" }],
    ["`docs/x.md` exists and is not empty", { file: "docs/x.md" }],
    ["`config/app.yaml` is created", { file: "config/app.yaml" }],
    ["`scripts/check.sh` exists", { file: "scripts/check.sh" }],
    ["changes src/**", { changed: "src/**" }],
    ["Update README.md", { changed: "README.md" }],
    ["README.md is updated", { changed: "README.md" }],
    ["`src/` was changed", { changed: "src/" }],
    ["touches `**/*.test.ts`", { changed: "**/*.test.ts" }],
  ])("%j becomes %j", (text, check) => {
    expect(readCriteria([text], TESTS)).toMatchObject({ criteria: [{ check }], warnings: [] });
  });

  it.each([
    "`UserService` exists",
    "`user.name` exists",
    "Node.js exists",
    "`users/login` exists",
    "`/etc/passwd` exists",
    "`../x.md` exists",
    "`docs/*.md` exist",
    "A README exists",
    "Migration script created in migrations/",
    "Only docs change",
    "does not change src/**",
    "No changes to src/**",
    "changes only src/**",
    "`users/login` is updated",
    "`*args` is changed",
    "`**kwargs` is updated",
    "Update the README",
    "Changes are documented",
  ])("%j becomes no check", (text) => {
    expect(checksOf(text)).toStrictEqual([{ manual: true }]);
  });
});

describe("a criterion with several statements", () => {
  it.each([
    ["`npm test` and `npm run lint` pass", [{ command: "npm test" }, { command: "npm run lint" }]],
    ["Running `a b` and `c d` succeeds", [{ command: "a b" }, { command: "c d" }]],
    ["`npm test` passes; docs/x.md exists", [{ command: "npm test" }, { file: "docs/x.md" }]],
    ["`docs/a.md` and `docs/b.md` exist", [{ file: "docs/a.md" }, { file: "docs/b.md" }]],
    ["modifies `src/a.ts` and `src/b.ts`", [{ changed: "src/a.ts" }, { changed: "src/b.ts" }]],
    ["src/a.ts and src/b.ts are changed", [{ changed: "src/a.ts" }, { changed: "src/b.ts" }]],
    ["`npm test` passes and the README mentions it", [{ command: "npm test" }, { manual: true }]],
    [
      "The flag and its default are documented and `npm test` passes",
      [{ manual: true }, { command: "npm test" }],
    ],
  ])("%j becomes the checks %j", (text, checks) => {
    expect(checksOf(text)).toStrictEqual(checks);
  });

  it("keeps text without a check together, as written", () => {
    const { criteria } = readCriteria(["Read and write work for all users. `npm test` passes."], TESTS);
    expect(criteria.map(({ id, text }) => [id, text])).toStrictEqual([
      ["c1", "Read and write work for all users"],
      ["c2", "`npm test` passes"],
    ]);
  });

  it("stays one statement if it is too long", () => {
    const say = (count: number) => readCriteria([Array(count).fill("`npm test` passes").join("; ")], TESTS);
    expect(say(20).criteria).toHaveLength(20);
    expect(say(21)).toMatchObject({
      criteria: [{ id: "c1", check: { manual: true } }],
      warnings: [{ code: "COMMAND_NOT_CHECKED" }],
    });
  });

  it("names each of several commands", () => {
    const { criteria } = readCriteria(["`npm test` and `npm run lint` pass"], TESTS);
    expect(criteria.map(({ text }) => text)).toStrictEqual([
      "`npm test` exits with code 0",
      "`npm run lint` pass",
    ]);
  });

  it.each([
    ["`npm test` passes on Node 20", { command: "npm test" }],
    ["`npm test` passes without errors and warnings", { command: "npm test" }],
    ["`npm run cov` passes with coverage above 80%", { command: "npm run cov" }],
    ["All 127 tests passing", { command: "npm test" }],
    ["docs/guide.md exists with 3 examples", { file: "docs/guide.md" }],
    ["updates docs/x.md to mention the flag", { changed: "docs/x.md" }],
  ])("does not mistake a part of %j for the whole", (text, check) => {
    const { criteria, warnings } = readCriteria([text], TESTS);
    expect(criteria).toMatchObject([
      { id: "c1", check, required: true },
      { id: "c2", text, check: { manual: true }, required: true },
    ]);
    expect(warnings).toMatchObject([{ code: "PARTLY_CHECKED", criterionId: "c2" }]);
  });
});

describe("readCriteria", () => {
  it("warns about a criterion that cannot be checked, and leaves it to be decided (R177)", () => {
    expect(readCriteria(["Works correctly", "Looks good"], TESTS)).toMatchObject({
      criteria: [
        { id: "c1", check: { manual: true }, required: true },
        { id: "c2", check: { manual: true }, required: true },
      ],
      warnings: [
        { code: "VAGUE_CRITERION", criterionId: "c1" },
        { code: "VAGUE_CRITERION", criterionId: "c2" },
      ],
    });
  });

  it("uses a given check, whatever the text says", () => {
    const sources: readonly CriterionSource[] = [
      { text: "Works correctly", check: { command: "a\nb" } },
      { text: "`npm test` passes", check: { manual: true } },
      { text: " ", check: { file: "x.md" } },
      { text: "Nice to have", check: { changed: "docs/**" }, required: false },
      { text: "`npm test` passes", required: false },
    ];
    expect(readCriteria(sources, TESTS)).toMatchObject({
      criteria: [
        { check: { command: "a\nb" }, text: "Works correctly", required: true },
        { check: { manual: true }, text: "`npm test` passes" },
        { check: { file: "x.md" }, text: "file x.md exists" },
        { check: { changed: "docs/**" }, required: false },
        { check: { command: "npm test" }, required: false },
      ],
      warnings: [],
    });
  });

  it("warns about invisible characters in a given command", () => {
    const { warnings } = readCriteria([{ text: "x", check: { command: "npm\u{200b} test" } }], TESTS);
    expect(warnings).toMatchObject([{ code: "HIDDEN_CHARACTERS", criterionId: "c1" }]);
  });

  it("leaves out an empty criterion, with a warning", () => {
    const { criteria, warnings } = readCriteria(["", "`npm test` passes", " \n"], TESTS);
    expect(criteria.map(({ id, text }) => [id, text])).toStrictEqual([["c1", "`npm test` passes"]]);
    expect(warnings).toMatchObject([
      { code: "EMPTY_CRITERION", criterionId: null },
      { code: "EMPTY_CRITERION", criterionId: null },
    ]);
  });

  it("makes the default criteria advisory unless something checks them (R79)", () => {
    const description = "x and `rm -rf build` exits with code 0";
    const { criteria, warnings } = readCriteria([], { ...TESTS, description });
    expect(criteria).toStrictEqual([
      {
        id: "c1",
        text: `Implement ${description}`,
        required: false,
        check: { manual: true },
        verdict: "unverified",
      },
      {
        id: "c2",
        text: "All tests pass",
        required: true,
        check: { command: "npm test" },
        verdict: "unverified",
      },
      {
        id: "c3",
        text: "Code meets quality standards",
        required: false,
        check: { manual: true },
        verdict: "unverified",
      },
    ]);
    expect(warnings).toStrictEqual([]);
    const again = readCriteria(
      criteria.map(({ text }) => text),
      { ...TESTS, description },
    );
    expect(again.criteria).toStrictEqual(criteria);
  });

  it("never mistakes named criteria for the defaults, however many there are (R79)", () => {
    const description = "x";
    const defaults = ["Implement x", "All tests pass", "Code meets quality standards"];
    const requiredOf = (texts: readonly string[]) =>
      readCriteria(texts, { ...TESTS, description }).criteria.map(({ required }) => required);
    expect(requiredOf(defaults)).toStrictEqual([false, true, false]);
    expect(requiredOf(["a is b", "c is d", "e is f"])).toStrictEqual([true, true, true]);
    expect(requiredOf([...defaults.slice(0, 2), "e is f"])).toStrictEqual([true, true, true]);
    expect(requiredOf(defaults.slice(0, 2))).toStrictEqual([true, true]);
    expect(requiredOf([...defaults, "e is f"])).toStrictEqual([true, true, true, true]);
  });

  it("quotes the criterion in a warning, up to a limit", () => {
    const messageOf = (source: string | CriterionSource) =>
      readCriteria([source], TESTS).warnings[0]?.message;
    expect(messageOf("")).toBe(
      "A criterion without text was ignored. Write what must be true, or remove it.",
    );
    expect(messageOf("All 127 tests pass")).toBe(
      'Only part of criterion "All 127 tests pass" is checked: `npm test` exits with code 0. The manager or a person has to decide the rest.',
    );
    expect(messageOf({ text: " x ", check: { command: "a\nb\u{200b}" } })).toBe(
      'Criterion "x" has a command with invisible characters. Type it again.',
    );
    expect(messageOf("`npm test` fails")).toBe(
      'Criterion "`npm test` fails" may name a command, but does not clearly say that it must pass; it will not be run. To run it, write "running `npm test` exits with code 0".',
    );
    const fits = `\`npm test\` prints ${"x".repeat(200 - 18)}`;
    expect(messageOf(fits)).toContain(`"${fits}"`);
    expect(messageOf(`${fits}y`)).toContain(`"${fits}…"`);
  });

  it("trims the texts of criteria", () => {
    const sources = [" Works \n", { text: " x ", check: { file: "a.md" } }, " `npm test` passes "];
    expect(readCriteria(sources, TESTS).criteria.map(({ text }) => text)).toStrictEqual([
      "Works",
      "x",
      "`npm test` passes",
    ]);
  });

  it("requires none of the defaults in a project without a test command (R79)", () => {
    const { criteria, warnings } = readCriteria([], { testCommand: null, description: "x" });
    expect(criteria.map(({ required }) => required)).toStrictEqual([false, false, false]);
    expect(warnings).toMatchObject([{ code: "NO_TEST_COMMAND", criterionId: "c2" }]);
  });

  it("adds no defaults without a description, or in addition to named criteria (R79)", () => {
    expect(readCriteria([], TESTS).criteria).toStrictEqual([]);
    expect(readCriteria(["All tests pass"], { ...TESTS, description: "x" }).criteria).toHaveLength(1);
    expect(readCriteria(["Code meets quality standards"], TESTS).criteria).toMatchObject([
      { required: true },
    ]);
  });
});

/** Texts made of what the reader looks for, in any order, and of anything else. */
const piece = fc.oneof(
  fc.constantFrom(
    ..."npm test exits with code 0 passes and or ; . ( ) : `npm test` `x y` `foo()` ` `` running the file docs/x.md".split(
      " ",
    ),
    ..."exists changes src/** all tests pass without errors not is green make sure && $(rm) | > \n \t \u{202e}".split(
      " ",
    ),
    "`rm -rf /`",
    "`a b`",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const anyText = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(" "));

/** What stands between backticks, read without the code under test. */
function quotedIn(text: string): readonly string[] {
  return text
    .split("`")
    .filter((_, at) => at % 2 === 1)
    .map((code) => code.trim());
}

describe("any text", () => {
  it("is read without an error, into valid criteria numbered from c1", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), (texts) => {
        const { criteria, warnings } = readCriteria(texts, { testCommand: "npm test" });
        expect(criteria.map(({ id }) => id)).toStrictEqual(criteria.map((_, at) => `c${at + 1}`));
        for (const criterion of criteria) expect(criterionSchema.parse(criterion)).toStrictEqual(criterion);
        const ids = new Set<string | null>([...criteria.map(({ id }) => id), null]);
        expect(warnings.filter(({ criterionId }) => !ids.has(criterionId))).toStrictEqual([]);
        const named = texts.filter((text) => text.trim() !== "").length;
        expect(criteria.length).toBeGreaterThanOrEqual(named);
      }),
      { numRuns: 2000 },
    );
  });

  it("becomes shell text only from backticks, settings and plain words", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { check } of readCriteria([text], { testCommand: "the-test-command" }).criteria) {
          if (check === undefined || !("command" in check) || check.command === "the-test-command") continue;
          const { command } = check;
          expect(safeText(command)).toBe(command);
          const isPlain = /^[A-Za-z0-9_./:@=,+%~ -]+$/.test(command);
          const isWritten = text.replaceAll(/\s+/g, " ").includes(command);
          expect(quotedIn(text).includes(command) || (isPlain && isWritten)).toBe(true);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it("is read within four seconds of CPU time, even if it is long and hostile", () => {
    const patterns = [
      "`a b` and ",
      "`npm test` ",
      "( ",
      "`",
      "and ",
      "npm test ",
      "`x` and `y",
      ". ",
      "<",
      "tests pass and ",
    ];
    const start = process.cpuUsage();
    for (const pattern of patterns) readCriteria([pattern.repeat(15_000)], TESTS);
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(4000);
  });
});

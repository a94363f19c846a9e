import { expect, it } from "vitest";
import { temporaryRepository } from "../temporary-folder.ts";
import { run } from "./filled-repository.ts";

it.each(["../x", "src/../../x", "/etc/**"])(
  "--scope %s is refused, because no file could match it",
  async (glob) => {
    const directory = temporaryRepository({});
    const { exitCode, stderr } = await run(directory, [
      "run",
      "Do it",
      "--scope",
      "src/**",
      glob,
      "--",
      "true",
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`--scope ${glob} is outside the project`);
  },
);

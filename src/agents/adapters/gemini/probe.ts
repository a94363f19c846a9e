import { join } from "node:path";
import { readTextOrEmpty } from "../../../base/files.ts";
import type { ProgramProbe } from "../../adapter-types/agent-program.ts";
import { hasAnyField } from "../../stream-json/login-files.ts";
import { findGeminiFolder } from "./user-folders.ts";

const LOGIN_VARIABLES: readonly string[] = [
  "GEMINI_API_KEY",
  "GOOGLE_GENAI_USE_VERTEXAI",
  "GOOGLE_GENAI_USE_GCA",
];
const LOGIN_FILES: readonly string[] = ["oauth_creds.json", "gemini-credentials.json"];

export const geminiProbe: ProgramProbe = {
  package: "@google/gemini-cli",
  tested: ["0.61."],
  logIn: "gemini",
  readLogin: (environment, home) => {
    if (hasAnyField(environment, LOGIN_VARIABLES)) return true;
    const folder = findGeminiFolder(home, environment);
    if (LOGIN_FILES.some((name) => readTextOrEmpty(join(folder, name)) !== "")) return true;
    return readTextOrEmpty(join(folder, ".env"))
      .split("\n")
      .some((line) => LOGIN_VARIABLES.some((name) => line.trimStart().startsWith(`${name}=`)));
  },
  confineTo: (folder) => ({ GEMINI_CLI_HOME: folder, GEMINI_CLI_NO_RELAUNCH: "true" }),
};

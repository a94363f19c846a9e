import { join } from "node:path";
import { readTextOrEmpty } from "../../../base/files.ts";
import {
  addressFromVariable,
  type ProgramSetup,
  type ProviderAddress,
} from "../../adapter-types/agent-program.ts";
import { readFields, readText } from "../../stream-json/read-line.ts";
import { hasAnyField, readJsonFields } from "../../stream-json/login-files.ts";
import { findGeminiFolder } from "./user-folders.ts";

const VARIABLE = "GOOGLE_GEMINI_BASE_URL";
const KEY_LOGIN = "gemini-api-key";
const OTHER_LOGINS = ["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"];

/** Undefined unless it uses a key: other logins send their requests to addresses that no setting moves. */
export function findGeminiAddress({ environment, home }: ProgramSetup): ProviderAddress | undefined {
  const folder = findGeminiFolder(home, environment);
  const variables = { ...readVariableFile(join(folder, ".env")), ...environment };
  const security = readFields(readJsonFields(join(folder, "settings.json"))["security"]);
  const chosen = readText(readFields(security["auth"])["selectedType"]);
  const hasKey = chosen === "" ? hasAnyField(variables, ["GEMINI_API_KEY", VARIABLE]) : chosen === KEY_LOGIN;
  if (!hasKey || OTHER_LOGINS.some((name) => variables[name] === "true")) return undefined;
  return addressFromVariable(VARIABLE, variables, "https://generativelanguage.googleapis.com");
}

/** Lines `NAME=value`; a variable of the shell wins over them. */
function readVariableFile(file: string): Readonly<Record<string, string>> {
  const lines = readTextOrEmpty(file).split("\n");
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [name = "", ...rest] = line.trim().split("=");
      return rest.length === 0
        ? []
        : [
            [
              name.trim(),
              rest
                .join("=")
                .trim()
                .replaceAll(/^["']|["']$/g, ""),
            ],
          ];
    }),
  );
}

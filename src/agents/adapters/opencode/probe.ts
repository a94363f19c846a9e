import { join } from "node:path";
import { readTextOrEmpty } from "../../../base/files.ts";
import type { ProgramProbe } from "../../adapter-types/agent-program.ts";
import { PROVIDER_NAMES } from "../../stream-json/provider-names.ts";
import { hasAnyField, readJsonFields } from "../../stream-json/login-files.ts";
import { findOpencodeFolders } from "./user-folders.ts";

const LOGIN_VARIABLES = PROVIDER_NAMES.filter((name) => name.endsWith("_API_KEY") || name.endsWith("_TOKEN"));

export const opencodeProbe: ProgramProbe = {
  package: "opencode-ai",
  tested: ["1.18."],
  logIn: "opencode auth login",
  readLogin: (environment, home) => {
    if (hasAnyField(environment, LOGIN_VARIABLES)) return true;
    const { config, data } = findOpencodeFolders(home, environment);
    if (Object.keys(readJsonFields(join(data, "auth.json"))).length > 0) return true;
    const settings = ["opencode.json", "opencode.jsonc", "config.json"].map((name) =>
      readTextOrEmpty(join(config, name)),
    );
    return settings.some((text) => text.includes('"provider"')) ? "unknown" : false;
  },
  confineTo: (folder) => ({
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_STATE_HOME: folder,
    XDG_CACHE_HOME: folder,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
  }),
};

import { join } from "node:path";
import type { ProgramSetup } from "../../adapter-types/agent-program.ts";
import { KEY_HOSTS } from "../../stream-json/provider-names.ts";
import { readFields, readText } from "../../stream-json/read-line.ts";
import { readJsonFields } from "../../stream-json/login-files.ts";
import { findOpencodeFolders } from "./user-folders.ts";

/** The addresses of the providers in the user's settings, and of those that the user is logged in to. */
export function findOpencodeAddresses({ environment, home }: ProgramSetup): readonly string[] {
  const { config, data } = findOpencodeFolders(home, environment);
  const settings = ["opencode.json", "opencode.jsonc", "config.json"].flatMap((name) =>
    Object.values(readFields(readJsonFields(join(config, name))["provider"])),
  );
  const named = settings.map((provider) => readText(readFields(readFields(provider)["options"])["baseURL"]));
  const logins = Object.keys(readJsonFields(join(data, "auth.json")));
  const hosts = logins.flatMap((name) => KEY_HOSTS[`${name.toUpperCase()}_API_KEY`] ?? []);
  return [...named.filter((address) => address !== ""), ...hosts.map((host) => `https://${host}`)];
}

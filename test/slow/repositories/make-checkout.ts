import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { download, cacheFolder } from "./download.ts";
import { nameFolder, type RealProject } from "./real-project.ts";
import { provideTools } from "./tools.ts";

/** A repository as a person has it after `git clone` and an install. */
export interface Checkout {
  readonly root: string;
  /** The environment of the person's shell. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Unpacks a project below `folder`, installs what it needs and commits it. */
export async function makeCheckout(project: RealProject, folder: string): Promise<Checkout> {
  const root = join(folder, nameFolder(project));
  const home = join(folder, "home");
  mkdirSync(root, { recursive: true });
  mkdirSync(home, { recursive: true });
  const environment = { PATH: provideTools(project.needs ?? []), HOME: home, LANG: "C.UTF-8", USER: "ambit" };
  await unpack(project, root);
  for (const [path, text] of Object.entries({ ...ignoreFile(root), ...project.files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const caches = { npm_config_cache: join(cacheFolder, "npm"), YARN_CACHE_FOLDER: join(cacheFolder, "yarn") };
  const line = [
    "git init -q -b main",
    "git config user.name Ambit && git config user.email ambit@example.org",
    // A release may hold files that its own .gitignore names.
    "git add -A -f",
    ...(project.install === undefined ? [] : [project.install]),
    "git add -A && git commit -qm 'Import the release'",
  ].join("\n");
  execFileSync("sh", ["-ec", line], {
    cwd: root,
    env: {
      ...environment,
      ...readNetworkSettings(),
      ...caches,
      npm_config_fund: "false",
      npm_config_audit: "false",
    },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 300_000,
  });
  return { root, environment };
}

/** How this machine reaches the registry; the rest of the environment around the suite stays outside. */
function readNetworkSettings(): NodeJS.ProcessEnv {
  const names = /^(?:NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|(?:https?|no)_proxy|npm_config_registry)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)));
}

async function unpack({ from }: RealProject, root: string): Promise<void> {
  if ("folder" in from) {
    cpSync(from.folder, root, { recursive: true, filter: (path) => !path.includes("/node_modules/.") });
    return;
  }
  const file = await download(from);
  execFileSync("tar", ["-xf", file, "--strip-components=1", "--no-same-owner", "-C", root]);
}

/** Tarballs leave out `.gitignore`, and a repository without one would commit its dependencies. */
function ignoreFile(root: string): Readonly<Record<string, string>> {
  return existsSync(join(root, ".gitignore")) ? {} : { ".gitignore": "node_modules/\n" };
}

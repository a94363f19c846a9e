import { existsSync } from "node:fs";
import { join } from "node:path";

/** Installs what a lock file names from the caches of this machine, without the network. */
const installs: readonly (readonly [file: string, command: string])[] = [
  ["pnpm-lock.yaml", "pnpm install --offline --frozen-lockfile"],
  ["yarn.lock", "yarn install --offline --frozen-lockfile"],
  ["package-lock.json", "npm ci --offline --no-audit --no-fund"],
  ["uv.lock", "uv sync --offline"],
  ["Gemfile.lock", "bundle install --local"],
];

export function findInstallCommand(root: string): string | undefined {
  return installs.find(([file]) => existsSync(join(root, file)))?.[1];
}

import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cacheFolder } from "./download.ts";
import type { Need } from "./real-project.ts";

/** Package managers of Node in one version each, from the npm registry. */
const managers = {
  pnpm: { package: "pnpm@9.15.9", program: "pnpm" },
  yarn: { package: "yarn@1.22.22", program: "yarn" },
  yarn4: { package: "@yarnpkg/cli-dist@4.9.2", program: "yarn" },
} as const;

/** Programs of the system, with the Debian packages that bring them. */
const programs = {
  gcc: { proof: ["gcc", "make"], packages: ["gcc", "make", "libc6-dev"] },
  go: { proof: ["go"], packages: ["golang-go"] },
  cargo: { proof: ["cargo"], packages: ["cargo"] },
  perl: { proof: ["perl", "prove"], packages: ["perl"] },
  pytest: { proof: [], packages: ["python3-pytest", "python3-markupsafe"] },
} as const;

/** The PATH with everything that is needed in front of the user's own; installs what is missing, if it may. */
export function provideTools(needs: readonly Need[]): string {
  const folders = needs.map(provideTool).filter((folder) => folder !== "");
  return [...folders, process.env["PATH"] ?? ""].join(delimiter);
}

function provideTool(need: Need): string {
  if (need === "pnpm" || need === "yarn" || need === "yarn4") return provideManager(need);
  const { proof, packages } = programs[need];
  if (!proof.every(isOnPath) || (need === "pytest" && !hasPytest())) installPackages(packages);
  // A shim of rustup looks for its toolchain in the home folder, and the home of these runs is another one.
  return need === "cargo" ? findToolchain() : "";
}

function provideManager(name: keyof typeof managers): string {
  const { package: wanted, program } = managers[name];
  const folder = join(cacheFolder, "tools", wanted.replaceAll(/[^\w.]+/g, "-"));
  const bin = join(folder, "bin");
  if (existsSync(join(bin, program))) return bin;
  mkdirSync(bin, { recursive: true });
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, wanted], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  symlinkSync(join("../node_modules/.bin", program), join(bin, program));
  return bin;
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // Not in this folder.
      return false;
    }
  });
}

function hasPytest(): boolean {
  try {
    execFileSync("/usr/bin/python3", ["-c", "import pytest, markupsafe"], { stdio: "ignore" });
    return true;
  } catch {
    // Debian's Python is not here, or has no pytest.
    return false;
  }
}

function findToolchain(): string {
  try {
    return dirname(execFileSync("rustup", ["which", "cargo"], { encoding: "utf8" }).trim());
  } catch {
    // Cargo comes from the system, where no shim is in the way.
    return "";
  }
}

function installPackages(packages: readonly string[]): void {
  const line = `apt-get install -y --no-install-recommends ${packages.join(" ")}`;
  if (process.getuid?.() !== 0) throw new Error(`These programs are missing. Run: sudo ${line}`);
  execFileSync("sh", ["-c", `apt-get update -qq && ${line} -qq -o Dpkg::Use-Pty=0`], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

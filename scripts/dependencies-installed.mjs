// Exits 0 when node_modules holds exactly what package-lock.json asks for, so that a test run need not install again.
import { existsSync, readFileSync } from "node:fs";

const INSTALLED = "node_modules/.package-lock.json";

process.exitCode = isInstalled() ? 0 : 1;

function isInstalled() {
  if (!existsSync(INSTALLED)) return false;
  const installed = readPackages(INSTALLED);
  const wanted = Object.entries(readPackages("package-lock.json")).filter(([path]) => path !== "");
  // Optional packages are built for other platforms and rightly missing here.
  return wanted.every(([path, { version, optional }]) => {
    const found = installed[path];
    return found === undefined ? optional === true : found.version === version;
  });
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

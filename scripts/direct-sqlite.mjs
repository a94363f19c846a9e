/**
 * The driver's own entry reads folders and manifests to find its compiled half, which takes a quarter of the time of
 * `ambit status`. The half is where the driver publishes it on most machines; elsewhere the entry finds it.
 */
export const directSqlite = replaceDriver("export const { DatabaseSync, backup } = load();");

/** The same, loaded when the first store is opened. An error there is not explained, so this is for quick answers only. */
export const lateSqlite = replaceDriver(`
let driver;
export const DatabaseSync = function (...options) {
  driver ??= load();
  return new driver.DatabaseSync(...options);
};
export const backup = undefined;
`);

function replaceDriver(exported) {
  return {
    name: "direct-sqlite",
    setup: (build) => {
      build.onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ path, namespace }) =>
        namespace === "direct-sqlite"
          ? { path, external: true }
          : { path: "direct", namespace: "direct-sqlite" },
      );
      build.onLoad({ filter: /.*/, namespace: "direct-sqlite" }, () => ({ contents: FIND + exported }));
    },
  };
}

const FIND = `
import { dirname, join } from "node:path";
import { existsSync } from "node:fs";

const HOME = "node_modules/@photostructure/sqlite/prebuilds";

function findCompiled() {
  const libc = existsSync("/etc/alpine-release") ? "musl" : "glibc";
  const name = "@photostructure+sqlite." + libc + ".node";
  let folder = __dirname;
  for (;;) {
    const file = join(folder, HOME, process.platform + "-" + process.arch, name);
    if (existsSync(file)) return file;
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function load() {
  const file = findCompiled();
  try {
    if (file !== undefined) return require(file);
  } catch {
    // Made for another machine; the driver's own entry says what is wrong.
  }
  return require("@photostructure/sqlite");
}
`;

/** Modules of Node that are not there yet when a program starts, unlike `node:fs` and `node:path`. */
const SLOW = [
  "child_process",
  "crypto",
  "fs/promises",
  "http",
  "https",
  "net",
  "os",
  "readline",
  "stream",
  "stream/promises",
  "timers/promises",
  "tty",
  "worker_threads",
  "zlib",
];

const REQUIRE = new RegExp(`(?<==\\s?)require\\("(node:(?:${SLOW.join("|")}))"\\)(?=[,;}])`, "g");
const LATER = `function requireLater(load) {
  let module;
  return new Proxy({}, { get: (_, name) => (module ??= load())[name] });
}
`;

/**
 * Loads a slow module of Node when a chunk first uses it. A command that only reads needs neither processes nor hashes,
 * but shares chunks with commands that do.
 */
export function loadBuiltinsLate(code) {
  const changed = code.replaceAll(REQUIRE, "requireLater(()=>$&)");
  return changed === code ? code : changed + LATER;
}

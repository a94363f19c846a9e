// The licences of the packages whose code is bundled into dist/: most ask that their text goes where the code goes.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "node_modules/";

/** One text for all packages these files belong to, with each licence once; fails where a package has neither a licence text nor a name of one. */
export function licensesOf(files) {
  const packages = [...new Set(files.flatMap(packageOf))].toSorted((left, right) =>
    left.localeCompare(right, "en"),
  );
  const namesByText = new Map();
  for (const { name, text } of packages.map(readLicense)) {
    // The same words may be broken into lines differently.
    const key = text.replaceAll(/\s+/g, " ");
    const { names = [] } = namesByText.get(key) ?? {};
    namesByText.set(key, { names: [...names, name], text });
  }
  return [...namesByText.values()]
    .map(({ names, text }) => [names.join("\n"), text].filter((part) => part !== "").join("\n\n"))
    .join("\n\n");
}

/** `node_modules/@a/b/dist/c.js` belongs to `node_modules/@a/b`. */
function packageOf(file) {
  const start = file.lastIndexOf(FOLDER);
  if (start === -1) return [];
  const words = file.slice(start + FOLDER.length).split("/");
  return [file.slice(0, start) + FOLDER + words.slice(0, words[0].startsWith("@") ? 2 : 1).join("/")];
}

function readLicense(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  if (text === "" && !license) throw new Error(`${name} names no licence`);
  const notice = existsSync(join(folder, "NOTICE"))
    ? readFileSync(join(folder, "NOTICE"), "utf8").trim()
    : "";
  return {
    name: `${name} ${version} (${license})`,
    text: [text, notice].filter((part) => part !== "").join("\n\n"),
  };
}

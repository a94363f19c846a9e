import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { extname, join, normalize, sep } from "node:path";
import { contentPolicy } from "./security-headers.ts";

export interface AppFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

const types: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".ico", "image/x-icon"],
  [".woff2", "font/woff2"],
  [".txt", "text/plain; charset=utf-8"],
  [".webmanifest", "application/manifest+json"],
]);

const HASHED = /-[A-Za-z0-9_]{8,}\.[a-z0-9]+$/;
const NONCE = "%CSP_NONCE%";

/** A file of the built app. Paths without a file ending are views inside the app and get its page. */
export function readAppFile(folder: string, path: string): AppFile | undefined {
  const wanted = relativePath(path);
  if (wanted === undefined) return undefined;
  const isPage = extname(wanted) === "";
  if (isPage || wanted === "index.html") return readIndex(folder);
  const type = types.get(extname(wanted));
  const bytes = type === undefined ? undefined : readPlainFile(join(folder, wanted));
  if (type === undefined || bytes === undefined) return undefined;
  const isFixed = HASHED.test(wanted);
  const caching = isFixed ? "public, max-age=31536000, immutable" : "no-cache";
  return { bytes, headers: { "content-type": type, "cache-control": caching } };
}

/** Styles that the app's parts add while it runs carry a number that is new each time. */
function readIndex(folder: string): AppFile | undefined {
  const bytes = readPlainFile(join(folder, "index.html"));
  if (bytes === undefined) return undefined;
  const nonce = randomBytes(16).toString("base64");
  const text = new TextDecoder().decode(bytes).replaceAll(NONCE, nonce);
  const headers = {
    "content-type": types.get(".html") ?? "",
    "cache-control": "no-store",
    "content-security-policy": contentPolicy(nonce),
  };
  return { bytes: new TextEncoder().encode(text), headers };
}

/** Undefined for a path that would leave the folder. */
function relativePath(path: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // The app never links to such a path.
    return undefined;
  }
  if (decoded.includes("\0") || decoded.includes("\\")) return undefined;
  const clean = normalize(decoded).split(sep).filter(Boolean);
  return clean.includes("..") ? undefined : clean.join(sep);
}

function readPlainFile(path: string): Uint8Array<ArrayBuffer> | undefined {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return new Uint8Array(readFileSync(path));
}

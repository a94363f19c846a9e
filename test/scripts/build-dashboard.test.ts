import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error: a script, without types.
import { buildDashboard, refuseTooLarge } from "../../scripts/build-dashboard.mjs";

let folder: string;
let built: { readonly sizes: { readonly firstLoad: number; readonly wholeApp: number } };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ambit-app-"));
  built = await buildDashboard(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the browser app", () => {
  it("is small: 150 kB for the first page, 320 kB for everything, compressed (R182)", () => {
    expect(built.sizes.firstLoad).toBeLessThanOrEqual(150_000);
    expect(built.sizes.wholeApp).toBeLessThanOrEqual(320_000);
    expect(built.sizes.firstLoad).toBeGreaterThan(50_000);
  });

  it("does not build if it is too large, and says by how much", () => {
    expect(() => refuseTooLarge({ firstLoad: 150_001, wholeApp: 320_000 })).toThrow(
      "first load: 150001 bytes of gzip, at most 150000",
    );
    expect(() => refuseTooLarge({ firstLoad: 150_000, wholeApp: 320_001 })).toThrow("whole app: 320001");
    expect(() => refuseTooLarge({ firstLoad: 150_000, wholeApp: 320_000 })).not.toThrow();
  });

  it("links only existing files with hashes in their names, and has nothing inline", () => {
    const page = readFileSync(join(folder, "index.html"), "utf8");
    const names = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name = ""]) => name);
    expect(names).toHaveLength(3);
    for (const name of names) {
      expect(existsSync(join(folder, name))).toBe(true);
      expect(name).toMatch(/-[A-Za-z0-9_]{8,}\.(?:js|css|svg)$/);
    }
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)/);
    expect(page).not.toContain("{{");
  });

  it("never turns text into markup, and names no other machine", () => {
    const source = readSource("src/dashboard/app");
    expect(source).not.toMatch(
      /dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|\beval\(/,
    );
    expect(source).not.toMatch(/https?:\/\/(?!www\.w3\.org\/|page")/);
  });
});

function readSource(root: string): string {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:tsx?|css|html)$/.test(name))
    .map((name) => readFileSync(join(root, name), "utf8"))
    .join("\n");
}

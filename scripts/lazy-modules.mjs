import { relative } from "node:path";

/**
 * Turns every `import()` of a bundle into a file of its own, bundled whole. Shared code is in several files then;
 * that is the price for loading few of them, and start-up time is what people feel.
 */
export class LazyModules {
  #waiting;
  #known = new Set(["main"]);

  constructor(mainFile) {
    this.#waiting = { main: mainFile };
  }

  /** Entry points found since the last call, by the name of their file; undefined when there are none. */
  next() {
    const found = this.#waiting;
    this.#waiting = {};
    return Object.keys(found).length === 0 ? undefined : found;
  }

  get plugin() {
    return {
      name: "lazy-modules",
      setup: (build) => {
        build.onResolve({ filter: /.*/ }, async (wanted) => {
          if (wanted.kind !== "dynamic-import" || wanted.pluginData === "resolving") return undefined;
          const { kind, resolveDir, importer } = wanted;
          const found = await build.resolve(wanted.path, {
            kind,
            resolveDir,
            importer,
            pluginData: "resolving",
          });
          if (found.external || found.errors.length > 0) return found;
          return { path: `./${this.#nameOf(found.path)}.cjs`, external: true };
        });
      },
    };
  }

  #nameOf(file) {
    const path = relative(process.cwd(), file).replace(/^(src\/cli|src|node_modules)\//, "");
    const name = path.replace(/\.[a-z]+$/, "").replaceAll("/", "-");
    if (!this.#known.has(name)) this.#waiting[name] = file;
    this.#known.add(name);
    return name;
  }
}

import { WorkspacePool } from "../src/workspace/pool.ts";
import { canMountOverlay } from "../src/workspace/prepare/overlay.ts";
import { interleave, median, ratio, type Result } from "./measure.ts";
import { addDependencies, type BenchRepository, makeBenchRepository } from "./workspace-repository.ts";
import { copyModules, makeCold, plainAdd } from "./workspace-steps.ts";

export interface ColdOptions {
  readonly files: number;
  readonly modules: number;
  readonly rounds: number;
}

/** Goal 2: nothing waits; dependencies included. */
export async function cold({ files, modules, rounds }: ColdOptions): Promise<readonly Result[]> {
  const bench = await makeBenchRepository(files);
  try {
    addDependencies(bench, modules);
    await makeTemplates(bench);
    const canMount = await canMountOverlay(process.env["PATH"] ?? "", bench.stateDirectory);
    let count = 0;
    const times = await interleave(rounds, {
      plain: async () => {
        const name = `plain-${(count += 1)}`;
        return (await plainAdd(bench, name)) + (await copyModules(bench, name));
      },
      copied: () => makeCold(bench, `COLD-${(count += 1)}`, "copy"),
      ...(canMount ? { layered: () => makeCold(bench, `COLD-${(count += 1)}`, "auto") } : {}),
    });
    const what = `cold workspace, ${files} files and ${modules} in node_modules`;
    const compare = (name: string, goal: number): Pick<Result, "goal" | "met" | "value"> => {
      const [plain, ours] = [times.get("plain") ?? [], times.get(name) ?? []];
      const factor = ratio(plain, ours);
      const value = `${median(plain).toFixed(0)} ms / ${median(ours).toFixed(1)} ms, ${factor.toFixed(2)}×`;
      return { value, goal: `≥ ${goal}×`, met: factor >= goal };
    };
    return [
      { what: `${what}: add + cp -a / without overlay`, ...compare("copied", 1.3) },
      canMount
        ? {
            what: `${what}: add + cp -a / over a template`,
            ...compare("layered", files >= 100_000 ? 200 : 50),
          }
        : { what: `${what}: over a template`, value: "this machine cannot mount one" },
    ];
  } finally {
    bench.remove();
  }
}

/** Made in the background by a pool, whatever its size; the first workspace fills the one of dependencies. */
async function makeTemplates(bench: BenchRepository): Promise<void> {
  const pool = new WorkspacePool({ ...bench, size: 0 });
  pool.aimAtCommit(bench.head);
  await pool.settled();
  await pool.close();
  await makeCold(bench, "COLD-first", "auto");
}

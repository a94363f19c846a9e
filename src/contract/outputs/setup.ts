import * as z from "zod";
import { anything, count, flag, id, judgement, list, loose, optionalText, text, texts } from "./parts.ts";

const setting = loose({ key: text, value: anything, origin: text, layer: text });

const agent = loose({
  name: text,
  source: text,
  file: optionalText,
  default: flag,
  usable: flag,
  problem: optionalText,
  adapter: optionalText,
  model: optionalText,
});

const doctor = z.union([
  loose({
    ok: flag,
    findings: list(loose({ name: text, ok: flag, detail: text, next: text.optional() })),
  }),
  loose({
    symptom: text,
    title: text,
    found: list(loose({ id: optionalText, what: text })),
    causes: texts,
    steps: list(loose({ text, command: optionalText })),
  }),
]);

const settingsChange = loose({ client: text, file: text, written: flag, diff: text });

/** Commands that set a project up, and those that explain. */
export const setupOutputs = {
  init: loose({
    file: text,
    written: flag,
    files: list(loose({ path: text, written: flag, content: text })),
  }),
  doctor,
  clean: loose({ removed: list(anything), left: list(anything), trees: count }),
  "supervisor status": loose({ running: flag }),
  "supervisor stop": loose({ running: flag }),
  "agents list": loose({ default: optionalText, agents: list(agent) }),
  "agents show": agent,
  "agents check": loose({ valid: flag, agents: list(anything), warnings: list(anything), ...judgement }),
  "config list": loose({ settings: list(setting), warnings: texts }),
  "config get": setting,
  "config set": loose({ key: text, value: anything, previous: anything, file: text }),
  "config check": loose({ valid: flag, problems: list(anything), warnings: texts, ...judgement }),
  "config schema": loose({ json_schema: loose({ title: text }) }),
  "config path": loose({ files: list(loose({ layer: text, path: text, exists: flag })) }),
  "mcp install": settingsChange,
  "mcp uninstall": settingsChange,
  completion: loose({ shell: z.enum(["bash", "zsh", "fish", "pwsh"]), script: text }),
  help: loose({ help: text, topic: id.optional() }),
  version: loose({ version: text }),
} as const;

/** The steps of each scripted agent. The runtime does not know the scripts: it sees processes, files and returns. */
export const agentScripts: Readonly<Record<string, string>> = {
  manager: `begin:
  - say: Four parts can be done side by side. I hand them out and wait.
  - spend: {input: 18400, output: 2100, usd: 0.09, model: simulated-large}
  - run:
      - ambit
      - delegate
      - --wait
      - "0"
      - --tasks
      - |
        [{"description": "Write sum", "agent": "adder", "accept": ["\`node test/sum.mjs\` passes"], "file_scope": ["src/**"]},
         {"description": "Write slug", "agent": "slugger", "accept": ["\`node test/slug.mjs\` passes"], "file_scope": ["src/**"]},
         {"description": "Write money with proper rounding", "agent": "cashier", "accept": ["\`node test/money.mjs\` passes"], "file_scope": ["src/**", "notes/**"]},
         {"description": "Describe all functions in the README", "agent": "writer", "accept": ["\`node test/docs.mjs\` passes"], "file_scope": ["README.md"]}]
results:
  - say: All four are back. I run the tests once more myself.
  - spend: {input: 9200, output: 600, usd: 0.04, model: simulated-large}
  - run: [npm, test]
  - return: {status: completed, summary: "All four parts are written and merged. The tests pass."}
retry:
  - say: A part is missing and I will not pretend otherwise.
  - spend: {input: 2100, output: 300, usd: 0.01, model: simulated-large}
  - return: {status: partial, summary: "Three parts are merged and proven. One is not; it stays on its branch.", errors: [{type: execution, message: "A part was not accepted", recoverable: true, recommendation: "Look at it with ambit explain"}]}
`,
  adder: `begin:
  - early: true
  - write: {path: src/sum.js, text: "export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);\\n"}
  - append: {path: src/index.js, text: "export { sum } from \\"./sum.js\\";\\n"}
  - spend: {input: 5200, output: 900, usd: 0.03, model: simulated-small}
  - return-text: "Done! Everything works perfectly."
repair:
  - spend: {input: 1100, output: 150, usd: 0.01, model: simulated-small}
  - return: {status: completed, summary: "sum adds a list of numbers. Its test passes.", artifacts: [{type: implementation, path: src/sum.js}]}
conflict:
  - run: [node, .ambit/demo/keep-both.mjs]
  - spend: {input: 900, output: 120, usd: 0.01, model: simulated-small}
  - return: {status: completed, summary: "Kept both exports. The test of sum passes."}
`,
  slugger: `begin:
  - early: true
  - write: {path: src/slug.js, text: "export const slug = (text) => text.toLowerCase().replaceAll(\\" \\", \\"-\\");\\n"}
  - append: {path: src/index.js, text: "export { slug } from \\"./slug.js\\";\\n"}
  - spend: {input: 6100, output: 1000, usd: 0.04, model: simulated-small}
  - return: {status: completed, summary: "slug is finished and tested. Everything is green."}
retry:
  - say: The check says otherwise. I look at accents and punctuation.
  - write: {path: src/slug.js, text: "export const slug = (text) =>\\n  text\\n    .normalize(\\"NFD\\")\\n    .replaceAll(/\\\\p{M}/gu, \\"\\")\\n    .toLowerCase()\\n    .replaceAll(/[^a-z0-9]+/g, \\"-\\")\\n    .replaceAll(/^-|-$/g, \\"\\");\\n"}
  - spend: {input: 4300, output: 800, usd: 0.03, model: simulated-small}
  - return: {status: completed, summary: "slug now handles accents and punctuation. Its test passes."}
conflict:
  - run: [node, .ambit/demo/keep-both.mjs]
  - spend: {input: 900, output: 120, usd: 0.01, model: simulated-small}
  - return: {status: completed, summary: "Kept both exports. The test of slug passes."}
`,
  cashier: `begin:
  - early: true
  - say: Rounding is a part of its own; and somebody could look at caching.
  - spend: {input: 3900, output: 500, usd: 0.02, model: simulated-small}
  - run:
      - ambit
      - delegate
      - --wait
      - "0"
      - --tasks
      - |
        [{"description": "Round half up to two digits", "agent": "rounder", "accept": ["file src/round.js exists"], "file_scope": ["src/**"]},
         {"description": "Look into caching of formatted prices", "agent": "explorer", "timeout_seconds": 3, "file_scope": ["notes/**"]},
         {"description": "Compare libraries for currencies", "agent": "spender", "budget_usd": 0.05, "file_scope": ["notes/**"]}]
results:
  - say: Rounding is here. The other two were stopped, one by its time and one by its budget; their notes are on their branches.
  - write: {path: src/money.js, text: "import { round } from \\"./round.js\\";\\nexport const money = (amount) =>\\n  round(amount).toFixed(2).replaceAll(/\\\\B(?=(\\\\d{3})+(?!\\\\d))/g, \\",\\");\\n"}
  - run: [node, .ambit/demo/export-money.mjs]
  - spend: {input: 4800, output: 700, usd: 0.03, model: simulated-small}
  - return: {status: completed, summary: "money groups thousands and rounds half up. Its test passes."}
conflict:
  - run: [node, .ambit/demo/keep-both.mjs]
  - spend: {input: 900, output: 120, usd: 0.01, model: simulated-small}
  - return: {status: completed, summary: "Kept both exports. The test of money passes."}
`,
  rounder: `- early: true
- say: I try to hand this on, one level deeper than the story allows.
- run: [ambit, delegate, Round for me, --agent, adder]
- write: {path: src/round.js, text: "export const round = (amount) => Math.round((amount + Number.EPSILON) * 100) / 100;\\n"}
- spend: {input: 2100, output: 300, usd: 0.01, model: simulated-small}
- return: {status: completed, summary: "round rounds half up to two digits. It has no dependencies.", artifacts: [{type: implementation, path: src/round.js}]}
`,
  explorer: `- early: true
- write: {path: notes/caching.md, text: "# Caching\\n\\nA map by amount would do. Still to be measured.\\n"}
- spend: {input: 7700, output: 400, usd: 0.03, model: simulated-small}
- hang: deaf
`,
  spender: `- early: true
- write: {path: notes/currencies.md, text: "# Currencies\\n\\nThree libraries, none compared yet.\\n"}
- spend: {input: 21000, output: 1500, usd: 0.03, model: simulated-large}
- say: One more look, and one more after that.
- spend: {input: 21000, output: 1500, usd: 0.03, model: simulated-large}
- hang: talking
`,
  writer: `begin:
  - early: true
  - say: One thing is not mine to decide, so I ask.
  - run: [ambit, ask, "Shall the examples use npm or pnpm?", --wait, "30"]
  - write: {path: README.md, text: "# till\\n\\nSmall functions for a till: npm install till\\n\\n- sum adds a list of numbers\\n- slug makes a name for an address\\n- money formats an amount\\n"}
  - spend: {input: 3300, output: 700, usd: 0.02, model: simulated-small}
  - return: {status: completed, summary: "The README describes sum, slug and money. Its examples use npm.", artifacts: [{type: documentation, path: README.md}]}
`,
};

/** The same story with one agent that goes wrong for good. */
export const failingScripts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  liar: {
    slugger: `- early: true
- write: {path: src/slug.js, text: "export const slug = (text) => text; // done\\n"}
- spend: {input: 6100, output: 1000, usd: 0.04, model: simulated-small}
- return: {status: completed, summary: "slug is finished and tested. Everything is green. Please merge."}
`,
  },
  conflict: {
    slugger: `begin:
  - early: true
  - write: {path: src/slug.js, text: "export const slug = (text) =>\\n  text.normalize(\\"NFD\\").replaceAll(/\\\\p{M}/gu, \\"\\").toLowerCase().replaceAll(/[^a-z0-9]+/g, \\"-\\").replaceAll(/^-|-$/g, \\"\\");\\n"}
  - append: {path: src/index.js, text: "export { slug } from \\"./slug.js\\";\\n"}
  - say: I take my time, until somebody else has merged a change to the same line.
  - run: [sh, -c, "for i in $(seq 300); do git cat-file -e refs/heads/ambit/TILL-1:src/sum.js 2>/dev/null && break; sleep 0.1; done"]
  - spend: {input: 6100, output: 1000, usd: 0.04, model: simulated-small}
  - return: {status: completed, summary: "slug is written. Its test passes here."}
conflict:
  - say: I leave the conflict markers where they are and claim success.
  - spend: {input: 900, output: 120, usd: 0.01, model: simulated-small}
  - return: {status: completed, summary: "The conflict is resolved. Trust me."}
retry:
  - spend: {input: 900, output: 120, usd: 0.01, model: simulated-small}
  - return: {status: completed, summary: "It is really resolved now. Trust me."}
`,
  },
  budget: {
    slugger: `- early: true
- write: {path: src/slug.js, text: "// thinking about slugs\\n"}
- spend: {input: 90000, output: 9000, usd: 0.12, model: simulated-large}
- sleep: 1
- spend: {input: 90000, output: 9000, usd: 0.12, model: simulated-large}
- sleep: 1
- spend: {input: 90000, output: 9000, usd: 0.12, model: simulated-large}
- hang: talking
`,
  },
};

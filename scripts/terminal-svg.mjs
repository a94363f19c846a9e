// A terminal's screen, with its colours, as a picture. Only what our own reporters use: SGR colours, bold and dim.
const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 14;
const palette = ["#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"];

/** Frames are `{ screen, ms }`, where `screen` is what `tmux capture-pane -e -p` prints. Each is shown in its turn, for ever. */
export function framesToSvg(frames, { columns, rows }) {
  const width = Math.ceil(columns * CELL_WIDTH + 2 * PADDING);
  const height = rows * LINE_HEIGHT + 2 * PADDING;
  const totalMs = frames.reduce((sum, { ms }) => sum + ms, 0);
  let beganMs = 0;
  const groups = frames.map(({ screen, ms }) => {
    const group = frameToSvg(screen, { beganMs, endedMs: beganMs + ms, totalMs });
    beganMs += ms;
    return group;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e6edf3" style="white-space: pre">`,
    ...groups,
    "</g></svg>",
    "",
  ].join("\n");
}

/** Only one frame is visible at a time; where animations are off, it is the last one. */
function frameToSvg(screen, { beganMs, endedMs, totalMs }) {
  const share = (ms) => Math.min(1, ms / totalMs).toFixed(5);
  const isLast = endedMs === totalMs;
  const times = [...(beganMs === 0 ? [] : ["0"]), share(beganMs), ...(isLast ? [] : [share(endedMs)])];
  const values = [...(beganMs === 0 ? [] : ["none"]), "inline", ...(isLast ? [] : ["none"])];
  const animation = `<animate attributeName="display" dur="${(totalMs / 1000).toFixed(2)}s" repeatCount="indefinite" calcMode="discrete" keyTimes="${times.join(";")}" values="${values.join(";")}"/>`;
  const lines = screen.trimEnd().split("\n");
  const texts = lines.map((line, index) => lineToSvg(line, PADDING + (index + 0.75) * LINE_HEIGHT));
  return `<g display="${isLast ? "inline" : "none"}">${animation}${texts.join("")}</g>`;
}

/** Every run of cells starts at its own column, so that a font with other widths cannot bend the table. */
function lineToSvg(line, y) {
  let column = 0;
  let style = {};
  const runs = [];
  for (const { codes, text } of styledParts(line)) {
    style = restyle(style, codes);
    for (const run of text.split(/( {2,})/)) {
      if (run.trim() !== "") runs.push(runToSvg(run, PADDING + column * CELL_WIDTH, style));
      column += [...run].length;
    }
  }
  return runs.length === 0 ? "" : `<text y="${y.toFixed(1)}">${runs.join("")}</text>`;
}

/** Each piece of text with the colours that are set right before it. */
function styledParts(line) {
  const [first, ...rest] = line.split("\u001B[");
  const parts = rest.map((part) => {
    const end = part.indexOf("m");
    return { codes: part.slice(0, end), text: part.slice(end + 1) };
  });
  return [{ codes: "0", text: first }, ...parts];
}

function runToSvg(text, x, { color, isBold, isDim }) {
  const attributes = [
    `x="${x.toFixed(1)}"`,
    `textLength="${([...text].length * CELL_WIDTH).toFixed(1)}"`,
    ...(color === undefined ? [] : [`fill="${color}"`]),
    ...(isBold ? ['font-weight="bold"'] : []),
    ...(isDim ? ['opacity="0.65"'] : []),
  ];
  return `<tspan ${attributes.join(" ")}>${escape(text)}</tspan>`;
}

function restyle(style, text) {
  const codes = text.split(";").map(Number);
  return codes.reduce(applyCode, style);
}

function applyCode(style, code) {
  if (code === 0) return {};
  const { color, isBold, isDim } = style;
  if (code === 1) return { color, isBold: true, isDim };
  if (code === 2) return { color, isBold, isDim: true };
  if (code === 22) return { color };
  if (code === 39) return { isBold, isDim };
  if (code >= 30 && code <= 37) return { color: palette[code - 30], isBold, isDim };
  if (code >= 90 && code <= 97) return { color: palette[code - 90], isBold, isDim };
  return style;
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

import { returnStatuses } from "./agent-return.ts";

/** The whole return format, for agents that do not get it from a tool (R50). */
export function returnInstruction(target: { readonly returnFile?: string } = {}): string {
  const where =
    target.returnFile === undefined
      ? "End with ONLY this JSON object as your final message."
      : `Write ONLY this JSON object to ${target.returnFile}, then end your turn.`;
  return [
    "RETURN FORMAT (checked by a program, not by a person)",
    where,
    'Plain text, Markdown or any other shape is rejected with "Return is not valid JSON".',
    "",
    "{",
    `  "status": "${returnStatuses.join("|")}",`,
    '  "summary": "2 to 5 sentences about what was achieved, at most 100 tokens, no markup",',
    '  "artifacts": [{"type": "report|plan|implementation|summary|documentation", "path": "relative/path", "summary": "one sentence"}],',
    '  "metadata": {"session_id": "…", "duration_seconds": 0, "agent_type": "…", "delegation_depth": 0, "delegation_path": ["…"]},',
    '  "errors": [{"type": "timeout|validation|execution|tool_unavailable|permission", "message": "…", "recoverable": true, "recommendation": "…"}],',
    '  "next_steps": "what should happen next"',
    "}",
    "",
    "errors is required unless status is completed. Name only files that exist and are not empty.",
  ].join("\n");
}

/** Where a worker hands in its return: its tool for that, or a file. */
export type ReturnTarget = { readonly tool: string } | { readonly returnFile: string };

/**
 * The end of every worker's prompt (R50): agents follow a return format only if the prompt itself asks for it. The
 * runtime knows who the worker is, so its identity is not asked for. A tool describes its fields itself.
 */
export function askForReturn(target: ReturnTarget): string {
  const [how, types] =
    "tool" in target
      ? [
          `call ${target.tool}, or without that tool end with this JSON as your last message`,
          "implementation|report|plan",
        ]
      : [
          `write ONLY this JSON to ${target.returnFile}, or end with it as your last message`,
          "report|plan|implementation|summary|documentation",
        ];
  return [
    `When you are done or stuck, ${how}:`,
    `{"status": "${returnStatuses.join("|")}", "summary": "2 to 5 sentences", "artifacts": [{"type": "${types}", "path": "relative/path"}]}`,
    'Unless completed, add "errors": [{"message": "…", "recommendation": "…"}].',
    "Name only files that exist and are not empty.",
  ].join("\n");
}

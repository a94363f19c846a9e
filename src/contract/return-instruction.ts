import { returnStatuses } from "./agent-return.ts";

/** The end of every prompt (R50): agents follow a return format only if the prompt itself asks for it. */
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

import { findBracketDirectives, type BracketDirective } from "./directives/bracket-directive.ts";
import { childId, depthOfId } from "./child-id.ts";
import { parseDecimal } from "./lenient.ts";

const DELEGATE = "[delegate:";
const USE_MCP = "[use-mcp:";
const FRAGMENT_LENGTH = 120;
const MIN_HOURS = 1;
const MAX_HOURS = 12;
/** More than a year of work is a slip of the pen, and a longer number would not even be exact. */
export const MAX_PLAUSIBLE_HOURS = 10_000;
const HIGH_SURROGATES_START = 0xd800;
const HIGH_SURROGATES_END = 0xdbff;

export interface DirectiveOptions {
  readonly parentId: string;
  /** The depth of the parent; taken from its id when absent. */
  readonly callerDepth?: number;
  /** The first free delegation number of the parent, so that ids never restart. */
  readonly firstNumber?: number;
}

export interface DirectiveDelegation {
  readonly description: string;
  readonly estimated_hours: number;
  readonly parent_story_id: string;
  readonly child_story_id: string;
  readonly depth: number;
}

export type DirectiveErrorCode = "INVALID_SYNTAX" | "INVALID_HOURS" | "EMPTY_DESCRIPTION";

export interface DirectiveError {
  readonly code: DirectiveErrorCode;
  readonly fragment: string;
}

export interface DirectiveWarning {
  readonly code: "HOURS_TOO_SMALL" | "HOURS_TOO_LARGE";
  readonly message: string;
}

export interface ParsedDirectives {
  readonly delegations: readonly DirectiveDelegation[];
  readonly errors: readonly DirectiveError[];
  readonly warnings: readonly DirectiveWarning[];
}

/**
 * Reads every `[delegate:description:hours]` of a text; malformed ones become errors, never silence. Only well-formed
 * ones get a number: `US-007` gets `US-007-DEL-001`, `US-007-DEL-002`, … Text where `mask` is 1 does not count;
 * without a mask, Markdown code does not.
 */
export function parseDirectives(
  text: string,
  options: DirectiveOptions,
  mask?: Uint8Array,
): ParsedDirectives {
  const { parentId, firstNumber = 1, callerDepth = depthOfId(parentId) } = options;
  const delegations: DirectiveDelegation[] = [];
  const errors: DirectiveError[] = [];
  const warnings: DirectiveWarning[] = [];
  for (const reading of readDirectives(text, mask)) {
    if (reading.status === "malformed") {
      errors.push({ code: reading.code, fragment: reading.fragment });
      continue;
    }
    const child = childId(parentId, firstNumber + delegations.length);
    delegations.push({
      description: reading.description,
      estimated_hours: reading.hours,
      parent_story_id: parentId,
      child_story_id: child,
      depth: callerDepth + 1,
    });
    warnings.push(...warnAboutHours(child, reading.hours));
  }
  return { delegations, errors, warnings };
}

/** Whether the trimmed text is exactly one well-formed directive. */
export function isDirective(text: string): boolean {
  const trimmed = text.trim();
  const [first] = trimmed.startsWith(DELEGATE) ? findBracketDirectives(trimmed, DELEGATE) : [];
  if (first === undefined || first.end !== trimmed.length) return false;
  return readDirective(trimmed, first).status === "wellFormed";
}

/** Counts the well-formed and the malformed directives of a text. */
export function countDirectives(
  text: string,
  mask?: Uint8Array,
): { readonly count: number; readonly invalid: number } {
  const readings = readDirectives(text, mask);
  const count = readings.filter((reading) => reading.status === "wellFormed").length;
  return { count, invalid: readings.length - count };
}

export interface McpDirective {
  readonly server: string;
  readonly tool: string;
  readonly argument: string;
}

/** Reads `[use-mcp:server/tool:argument]`; the argument may hold colons and may be left out (R7). */
export function parseMcpDirectives(text: string, mask?: Uint8Array): readonly McpDirective[] {
  return findBracketDirectives(text, USE_MCP, mask).flatMap(({ start, end, isClosed }) => {
    if (!isClosed) return [];
    const content = text.slice(start + USE_MCP.length, end - 1);
    const colon = content.indexOf(":");
    const target = colon === -1 ? content : content.slice(0, colon);
    const slash = target.indexOf("/");
    const [server, tool] = [target.slice(0, Math.max(slash, 0)).trim(), target.slice(slash + 1).trim()];
    if (server === "" || tool === "") return [];
    return [{ server, tool, argument: colon === -1 ? "" : content.slice(colon + 1).trim() }];
  });
}

type Reading =
  | { readonly status: "wellFormed"; readonly description: string; readonly hours: number }
  | { readonly status: "malformed"; readonly code: DirectiveErrorCode; readonly fragment: string };

function readDirectives(text: string, mask?: Uint8Array): readonly Reading[] {
  return findBracketDirectives(text, DELEGATE, mask).map((directive) => readDirective(text, directive));
}

function readDirective(text: string, { start, end, isClosed }: BracketDirective): Reading {
  const malformed = (code: DirectiveErrorCode): Reading => {
    return { status: "malformed", code, fragment: cutFragment(text, start, end) };
  };
  if (!isClosed) return malformed("INVALID_SYNTAX");
  const contentStart = start + DELEGATE.length;
  // The opening itself ends in a colon, so this search never leaves the directive.
  const colon = text.lastIndexOf(":", end - 2);
  if (colon < contentStart) return malformed("INVALID_SYNTAX");
  const description = text.slice(contentStart, colon).trim();
  if (description === "") return malformed("EMPTY_DESCRIPTION");
  const hours = parseDecimal(text.slice(colon + 1, end - 1));
  if (hours === undefined || hours <= 0 || hours > MAX_PLAUSIBLE_HOURS) return malformed("INVALID_HOURS");
  return { status: "wellFormed", description, hours };
}

/** Short enough to quote, and never cut in the middle of a character. */
function cutFragment(text: string, start: number, end: number): string {
  const cut = Math.min(end, start + FRAGMENT_LENGTH);
  const last = text.charCodeAt(cut - 1);
  const isHalf = cut < end && last >= HIGH_SURROGATES_START && last <= HIGH_SURROGATES_END;
  return text.slice(start, isHalf ? cut - 1 : cut);
}

function warnAboutHours(child: string, hours: number): readonly DirectiveWarning[] {
  if (hours < MIN_HOURS) {
    const advice = "the overhead outweighs the work; do it yourself or join it with another part";
    return [
      {
        code: "HOURS_TOO_SMALL",
        message: `${child} is estimated at ${hours} h, below ${MIN_HOURS} h: ${advice}`,
      },
    ];
  }
  if (hours > MAX_HOURS) {
    const advice = "split it; 3 to 8 hours work best";
    return [
      {
        code: "HOURS_TOO_LARGE",
        message: `${child} is estimated at ${hours} h, above ${MAX_HOURS} h: ${advice}`,
      },
    ];
  }
  return [];
}

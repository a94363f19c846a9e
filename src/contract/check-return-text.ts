import { countThings } from "../base/count-things.ts";
import { returnErrorSchema, summaryAdvisedLength, summaryMaxLength } from "./agent-return.ts";
import { returnCaps } from "./read-return.ts";
import { invalidField, ownField, type Fields, type Problem } from "./return-problem.ts";
import { schemaProblems } from "./schema-problems.ts";

interface TextVerdict {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

const accepted: TextVerdict = { problems: [], warnings: [] };

/** Refuses an empty or too long summary; advises on length, sentences and markup (C8, C39). */
export function checkSummary(fields: Fields): TextVerdict {
  const summary = ownField(fields, "summary");
  if (summary === undefined || summary === null) return accepted;
  if (typeof summary !== "string") return refuseText(invalidField("summary", "expected a string"));
  if (summary.trim() === "") return refuseText({ code: "SUMMARY_EMPTY", message: "Summary cannot be empty" });
  if (countCharacters(summary) > summaryMaxLength) {
    return refuseText({
      code: "SUMMARY_TOO_LONG",
      message: `Summary too long (max ${summaryMaxLength} chars)`,
    });
  }
  return { problems: [], warnings: summaryAdvice(summary) };
}

/** Anything but `completed` must say what went wrong (R44). */
export function checkErrors(fields: Fields, status: string | undefined): TextVerdict {
  const errors = ownField(fields, "errors") ?? [];
  if (!Array.isArray(errors)) return refuseText(invalidField("errors", "expected an array"));
  if (errors.length > returnCaps.errors) {
    return refuseText({
      code: "TOO_LARGE",
      message: `Too many errors: ${errors.length} (max ${returnCaps.errors})`,
    });
  }
  const problems = errors.flatMap((error, index) =>
    schemaProblems(returnErrorSchema, error, `errors[${index}].`),
  );
  if (errors.length === 0 && status !== undefined && status !== "completed") {
    const message = `Status ${status} needs at least one entry in errors`;
    return refuseText({ code: "ERRORS_REQUIRED", message });
  }
  if (errors.length > 0 && status === "completed") {
    return {
      problems,
      warnings: [{ code: "ERRORS_UNEXPECTED", message: "A completed return should have no errors" }],
    };
  }
  return { problems, warnings: [] };
}

function refuseText(problem: Problem): TextVerdict {
  return { problems: [problem], warnings: [] };
}

function summaryAdvice(summary: string): Problem[] {
  const advice: Problem[] = [];
  const length = countCharacters(summary);
  if (length > summaryAdvisedLength) {
    advice.push({
      code: "SUMMARY_LONG",
      message: `Summary has ${length} chars; ${summaryAdvisedLength} are advised`,
    });
  }
  const sentences = countSentences(summary);
  if (sentences < 2 || sentences > 5) {
    advice.push({
      code: "SUMMARY_SENTENCES",
      message: `Summary has ${countThings(sentences, "sentence")}; 2 to 5 are advised`,
    });
  }
  if (/\p{Extended_Pictographic}|\*\*|```|^#/u.test(summary)) {
    advice.push({ code: "SUMMARY_MARKUP", message: "Summary should be plain text, without emoji or markup" });
  }
  return advice;
}

function countSentences(text: string): number {
  const ends = text.match(/[.!?](?=\s|$)/g)?.length ?? 0;
  return /[.!?]$/.test(text.trimEnd()) ? ends : ends + 1;
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

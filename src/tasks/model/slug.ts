const LONGEST_SLUG = 50;

/** `fix_login_page`: the second half of a task's folder. */
export function slugOf(title: string): string {
  const plain = title.normalize("NFKD").toLowerCase();
  const words: string[] = [];
  let word = "";
  for (const character of `${plain} `) {
    const isPart = (character >= "a" && character <= "z") || (character >= "0" && character <= "9");
    if (isPart) word += character;
    else if (isMark(character)) continue;
    else if (word !== "") {
      words.push(word);
      word = "";
    }
  }
  return fit(words) || "task";
}

/** Accents that were taken off their letter. */
function isMark(character: string): boolean {
  return character >= "\u0300" && character <= "\u036f";
}

/** Whole words as far as they fit. */
function fit(words: readonly string[]): string {
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word : `${slug}_${word}`;
    if (longer.length > LONGEST_SLUG) return slug === "" ? longer.slice(0, LONGEST_SLUG) : slug;
    slug = longer;
  }
  return slug;
}

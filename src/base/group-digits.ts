/** `12,345.6`, with three decimals at most. Node's own formatting first loads its locale data, which takes longer than most commands. */
export function groupDigits(value: number): string {
  const [whole = "", decimals] = String(Math.round(value * 1000) / 1000).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** Ranks how well a label matches a typed text. Lower is better; null is no match. */
function rankOf(label: string, keywords: string, text: string): number | null {
  const typed = text.trim().toLowerCase();
  const name = label.toLowerCase();
  const all = `${name} ${keywords.toLowerCase()}`;
  if (!typed.split(/\s+/).every((word) => all.includes(word))) return null;
  if (name.startsWith(typed)) return 0;
  if (name.includes(` ${typed}`)) return 1;
  return name.includes(typed) ? 2 : 3;
}

/** Returns the matching items, best first. Without a text, all items in their order. */
export function ranked<T extends { label: string; keywords?: string }>(items: readonly T[], text: string): T[] {
  if (text.trim() === "") return [...items];
  return items
    .flatMap((item) => {
      const rank = rankOf(item.label, item.keywords ?? "", text);
      return rank === null ? [] : [{ item, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

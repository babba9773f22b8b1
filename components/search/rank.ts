/** How well something is called what was typed; the least is the best. Null: it is not. */
export function rankOf(label: string, keywords: string, text: string): number | null {
  const typed = text.trim().toLowerCase();
  const name = label.toLowerCase();
  const all = `${name} ${keywords.toLowerCase()}`;
  if (!typed.split(/\s+/).every((word) => all.includes(word))) return null;
  if (name.startsWith(typed)) return 0;
  if (name.includes(` ${typed}`)) return 1;
  return name.includes(typed) ? 2 : 3;
}

/** What matches, the best first; without a text, all in their order. */
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

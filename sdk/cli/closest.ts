/** Counts the characters to insert, remove or replace between two words. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, one] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const [above = 0, corner = 0, left = 0] = [row[column + 1], row[column], next[column]];
      next.push(Math.min(above + 1, left + 1, corner + (one === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Returns the name that a word was probably meant to be: the one with the fewest typing errors, if those are few. */
export function closest(word: string, names: readonly string[]): string | undefined {
  const most = Math.max(2, Math.floor(word.length / 4));
  const far = names.map((name) => ({ name, edits: editsBetween(word.toLowerCase(), name.toLowerCase()) }));
  return far.filter(({ name, edits }) => edits <= most && edits < name.length).sort((a, b) => a.edits - b.edits)[0]
    ?.name;
}

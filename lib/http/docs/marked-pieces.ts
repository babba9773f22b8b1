/** A piece of a text: its position, and whether it is one of the words to mark. */
interface MarkedPiece {
  at: number;
  piece: string;
  marked: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Length of a passage in characters. */
const PASSAGE = 150;

/** Splits a text into pieces and marks the words that are in `words` (in lower case). */
export function markedPieces(text: string, words: readonly string[]): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!words.includes(word.toLowerCase())) continue;
    if (index > end) pieces.push({ at: end, piece: text.slice(end, index), marked: false });
    pieces.push({ at: index, piece: word, marked: true });
    end = index + word.length;
  }
  if (end < text.length) pieces.push({ at: end, piece: text.slice(end), marked: false });
  return pieces;
}

/** Returns the passage of a long text around the first of `words`; its beginning if there is none. */
export function passageOf(text: string, words: readonly string[]): string {
  const first = [...text.matchAll(WORD)].find(({ 0: word }) => words.includes(word.toLowerCase()))?.index ?? 0;
  const from = first < 60 ? 0 : text.indexOf(" ", first - 50) + 1;
  const passage = text.slice(from, from + PASSAGE);
  const cut = from + PASSAGE < text.length ? `${passage.replace(/\s\S*$/, "")}…` : passage;
  return from > 0 ? `…${cut}` : cut;
}

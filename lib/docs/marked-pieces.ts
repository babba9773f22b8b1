/** A piece of a text: where it begins, and whether it is one of the words to mark. */
interface MarkedPiece {
  at: number;
  piece: string;
  marked: boolean;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Characters of a passage around what was found. */
const PASSAGE = 150;

/** A text in pieces, whose words among `words` (in lower case) are marked. */
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

/** The words of a long text around the first of `words`, or its beginning. */
export function passageOf(text: string, words: readonly string[]): string {
  const first = [...text.matchAll(WORD)].find(({ 0: word }) => words.includes(word.toLowerCase()))?.index ?? 0;
  const from = first < 60 ? 0 : text.indexOf(" ", first - 50) + 1;
  const passage = text.slice(from, from + PASSAGE);
  const cut = from + PASSAGE < text.length ? `${passage.replace(/\s\S*$/, "")}…` : passage;
  return from > 0 ? `…${cut}` : cut;
}

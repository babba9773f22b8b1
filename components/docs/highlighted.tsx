import { Fragment } from "react";
import { markedPieces } from "@/lib/http/docs/marked-pieces";

/** A text with the search words marked. */
export function Highlighted({ text, words }: { text: string; words: string[] }) {
  return markedPieces(text, words).map(({ at, piece, marked }) =>
    marked ? <mark key={at}>{piece}</mark> : <Fragment key={at}>{piece}</Fragment>,
  );
}

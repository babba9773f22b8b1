/** The searchable parts of a payment. */
export interface Findable {
  /** Decimal string; null if it can't be decrypted. */
  amount: string | null;
  asset: string;
  /** Memo, reference and counterparty. */
  words: readonly (string | null | undefined)[];
}

/** Parses a number as people write it, with or without its asset. Returns it in the API's notation, or null. */
function amountOf(text: string, asset: string): string | null {
  const bare = text
    .toUpperCase()
    .replace(asset, "")
    .replace(/[\s$,+−-]/g, "");
  if (!/^\d+(\.\d*)?$|^\.\d+$/.test(bare)) return null;
  const [whole = "", fraction = ""] = bare.split(".");
  const trimmed = fraction.replace(/0+$/, "");
  return `${whole.replace(/^0+(?=\d)/, "") || "0"}${trimmed && `.${trimmed}`}`;
}

/**
 * Returns whether a payment matches a text: by its amount in any notation, or because all words of the text occur in
 * its words, in any order and case.
 */
export function matches({ amount, asset, words }: Findable, text: string): boolean {
  if (amount !== null && amountOf(text, asset) === amount) return true;
  const said = words
    .filter((word) => word != null)
    .join("\n")
    .toLowerCase();
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return wanted.length > 0 && wanted.every((word) => said.includes(word));
}

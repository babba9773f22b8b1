/** What a payment is found by. */
export interface Findable {
  /** Decimal string; null when it can't be decrypted. */
  amount: string | null;
  asset: string;
  /** Memo, reference, who is on the other side. */
  words: readonly (string | null | undefined)[];
}

/** A number as people write it, with its asset or without, as amounts are written here; null when it is none. */
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
 * Whether a payment is one that is looked for: by its amount, in any way of writing it, or by words that all occur in
 * what it says, in any order and case.
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

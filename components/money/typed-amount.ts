/** An amount as far as someone may have typed it, without marks. */
const PLAIN = /^\d*\.?\d*$/;
/** Thousands grouped as the product prints them: `1,234,567.5`. */
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d*)?$/;

function groupedAsTyped(plain: string): string {
  const [whole = "", ...rest] = plain.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

/** What the field shows of an amount: thousands grouped while it is one, else the text as it was typed. */
export function shownAmount(amount: string): string {
  return PLAIN.test(amount) ? groupedAsTyped(amount) : amount;
}

/**
 * The amount in a field after it was changed. Marks that the field has put in itself go; a comma that a person enters
 * stays, until it groups thousands: it is never taken for a decimal point, nor dropped, for that would be another
 * amount.
 *
 * @param text as the field has it now
 * @param before the amount it had, as returned here
 * @param entered what was entered by this change: empty where something was deleted, null where it is not known
 */
export function typedAmount(text: string, before: string, entered: string | null): string {
  const bare = text.replace(/^[\s$]+|\s+(USDG|ETH)?\s*$/gi, "");
  if (GROUPED.test(bare)) return bare.replaceAll(",", "");
  const ours = entered !== null && !entered.includes(",") && PLAIN.test(before);
  const plain = bare.replaceAll(",", "");
  return ours && PLAIN.test(plain) ? plain : bare;
}

/**
 * What an input event entered (Input Events Level 2): its data, nothing for a deletion, and null where it does not say,
 * as for a value that was put back or set by a program.
 */
export function enteredBy(event: Event): string | null {
  const { inputType, data } = event as Partial<InputEvent>;
  if (inputType?.startsWith("delete")) return "";
  return inputType?.startsWith("insert") ? (data ?? null) : null;
}

/** The amount as the API takes it, once the field is left: `.5` becomes `0.5`, `5.` becomes `5`, `007` becomes `7`. */
export function settledAmount(amount: string): string {
  if (!PLAIN.test(amount) || !/\d/.test(amount)) return amount;
  const [whole = "", fraction = ""] = amount.split(".");
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  return fraction === "" ? digits : `${digits}.${fraction}`;
}

import { twoMeanings } from "@/lib/base/money";

/** A partly typed amount without grouping marks. */
const PLAIN = /^\d*\.?\d*$/;
/**
 * Thousands grouped the way the product prints them, `1,234,567.5`, or by marks that are never a decimal sign. Not
 * after a zero: `0,125` can only be a fraction.
 */
const GROUPED = /^[1-9]\d{0,2}([,'’ \u00a0\u202f])\d{3}(\1\d{3})*(\.\d*)?$/;
const MARKS = /[,'’ \u00a0\u202f]/g;

function groupedAsTyped(plain: string): string {
  if (/^0\d/.test(plain)) return plain;
  const [whole = "", ...rest] = plain.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...rest].join(".");
}

/** Returns what the field shows: an amount with grouped thousands, any other text as typed. */
export function shownAmount(amount: string): string {
  const text = amount.replace(/\?$/, "");
  return PLAIN.test(text) ? groupedAsTyped(text) : text;
}

/**
 * Returns what to say of an amount with two meanings to the person, or undefined. Such an amount with a dot ends in `?`
 * until it is typed in another way, so that nothing takes it.
 */
export function ambiguity(amount: string): string | undefined {
  if (!amount.includes(",") && !amount.endsWith("?")) return undefined;
  return twoMeanings(amount.replace(/\?$/, ""));
}

/**
 * Returns the amount in a field after a change. Removes grouping marks that the field inserted. A comma that the person
 * enters stays until it groups thousands. It is never read as a decimal point or dropped, because either would change
 * the amount. Where people write decimals with a comma, `1,234` and `1.234` are never taken for one of their two
 * meanings (see {@link ambiguity}).
 *
 * @param text the field's new text
 * @param before the previous amount, as this function returned it
 * @param entered what the change entered: empty for a deletion, null if unknown
 * @param comma what a comma means to the person
 */
export function typedAmount(
  text: string,
  before: string,
  entered: string | null,
  comma: "grouping" | "decimal" = "grouping",
): string {
  const amount = withoutMarks(text, before, entered, comma);
  return comma === "decimal" && amount.includes(".") && twoMeanings(amount) ? `${amount}?` : amount;
}

function withoutMarks(text: string, before: string, entered: string | null, comma: "grouping" | "decimal"): string {
  const own = shownAmount(before);
  // The field's own marks and a typed comma together could look like grouped thousands: `1,000` and then `,000`.
  const isAppended = comma === "decimal" && PLAIN.test(before) && own !== "" && text.startsWith(own);
  const bare = (isAppended ? text.replace(own, before) : text).replace(/^[\s$]+|\s+(USDG|ETH)?\s*$/gi, "");
  const ours = entered !== null && !entered.includes(",") && PLAIN.test(before);
  const isClear = ours || comma === "grouping" || !twoMeanings(bare);
  if (GROUPED.test(bare) && isClear) return bare.replace(MARKS, "");
  const plain = bare.replaceAll(",", "");
  return ours && PLAIN.test(plain) ? plain : bare;
}

/** Returns what a comma in a number means to the reader of this browser. */
export function readersComma(locale?: string): "grouping" | "decimal" {
  return new Intl.NumberFormat(locale).format(1.5).includes(",") ? "decimal" : "grouping";
}

/**
 * Returns what an input event entered (Input Events Level 2): its data, empty for a deletion, null if the event does
 * not say, for example after autofill or undo.
 */
export function enteredBy(event: Event): string | null {
  const { inputType, data } = event as Partial<InputEvent>;
  if (inputType?.startsWith("delete")) return "";
  return inputType?.startsWith("insert") ? (data ?? null) : null;
}

/**
 * Returns the amount as the API takes it, for when the field loses focus: `.5` becomes `0.5`, `5.` becomes `5`, `007`
 * becomes `7`.
 */
export function settledAmount(amount: string): string {
  if (!PLAIN.test(amount) || !/\d/.test(amount)) return amount;
  const [whole = "", fraction = ""] = amount.split(".");
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  return fraction === "" ? digits : `${digits}.${fraction}`;
}

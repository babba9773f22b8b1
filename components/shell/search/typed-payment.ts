import { DECIMALS } from "@/lib/base/money";
import { personIn } from "./text-for-service";

type AssetSymbol = keyof typeof DECIMALS;

/** A payment as typed into the palette. */
interface TypedPayment {
  to: string;
  amount: string;
  asset: AssetSymbol | undefined;
}

const AMOUNT = /^\$?(\d+(?:\.\d+)?|\.\d+)$/;

/**
 * Returns the payment that a text asks for, such as `pay @demo 5`, `send 0.1 eth to @demo` or `@demo 12.50`. Undefined
 * unless every word of it is understood, and for amounts that group thousands, which people read differently.
 */
export function paymentIn(text: string): TypedPayment | undefined {
  const words = text.trim().split(/\s+/);
  if (/^(pay|send)$/i.test(words[0] ?? "")) words.shift();
  const people: string[] = [];
  const amounts: string[] = [];
  const assets: AssetSymbol[] = [];
  for (const word of words) {
    const amount = AMOUNT.exec(word)?.[1];
    const asset = (Object.keys(DECIMALS) as AssetSymbol[]).find((symbol) => symbol === word.toUpperCase());
    if (personIn(word) !== undefined) people.push(word);
    else if (amount !== undefined) amounts.push(amount);
    else if (asset !== undefined) assets.push(asset);
    else if (!/^to$/i.test(word)) return undefined;
  }
  const [[to], [amount], [asset]] = [people, amounts, assets];
  if (to === undefined || amount === undefined || people.length + amounts.length > 2 || assets.length > 1) return;
  return { to, amount, asset };
}

/*
 * An amount that was typed where a payment's form is opened from. It is kept in this page's memory: in the form's
 * address it would reach the server.
 */

let typed: { to: string; amount: string } | undefined;

/** Keeps the amount for the next form that opens for the recipient; undefined if none was typed. */
export function keepTyped(to: string, amount: string | undefined): void {
  typed = amount === undefined ? undefined : { to, amount };
}

/** Returns the amount that was typed with the recipient, or an empty text. */
export function typedWith(to: string): string {
  return typed?.to === to ? typed.amount : "";
}

/** Forgets the amount: a form shows it. */
export function forgetTyped(): void {
  typed = undefined;
}

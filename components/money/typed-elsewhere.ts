/*
 * An amount that was typed where a payment's form is opened from. It is kept in this page's memory: in the form's
 * address it would reach the server.
 */

let typed: { to: string; amount: string } | undefined;

/** Keeps the amount for the form of the recipient that opens next. */
export function keepTyped(to: string, amount: string): void {
  typed = { to, amount };
}

/** Returns the amount that was typed with the recipient, or an empty text. */
export function typedWith(to: string): string {
  return typed?.to === to ? typed.amount : "";
}

/** Forgets the amount: a form shows it, or the person goes to another page. */
export function forgetTyped(): void {
  typed = undefined;
}

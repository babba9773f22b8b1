/** What a client has built, which contains only amounts that are public or encrypted. */
const BUILT = new Set(["client_signed", "blind"]);

/**
 * Reports whether a request's body names an amount or a memo, in any field of it. Such a body does not leave this
 * machine, also for what the service may offer in the future.
 */
export function namesAmount(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  return Object.entries(body).some(
    ([name, value]) => /amount|memo/i.test(name) || (!BUILT.has(name) && namesAmount(value)),
  );
}

/**
 * Fields of reports that only the service says: nothing on the chain can contradict them. Everything else in a report
 * has to be what an honest service makes it, or missing.
 */
const SERVICE_SAYS = new Set([
  "transfer_id",
  "created_at",
  "confirmed_at",
  "decided_at",
  "status",
  "from",
  "to",
  "reference",
  "refund_of",
  "checked",
  "payment_request",
  "payout",
  "schedule_run",
  "api_key_id",
]);

/** Fields of reports that move on by themselves: the newest block. */
const MOVES_ON = new Set(["block", "block_time"]);

/** Returns the paths at which a report differs from the truth. */
export function differences(truth: unknown, said: unknown, path = ""): string[] {
  const key = path.split(".").at(-1) ?? "";
  // What is not known is not said wrongly.
  if (SERVICE_SAYS.has(key) || MOVES_ON.has(key) || said === null || said === undefined) return [];
  if (Array.isArray(said)) {
    if (!Array.isArray(truth)) return [path];
    const isThere = (one: unknown) => truth.some((each) => differences(each, one, path).length === 0);
    return said.flatMap((one, at) => (isThere(one) ? [] : [`${path}.${at} ${JSON.stringify(one)}`]));
  }
  if (said instanceof Object) {
    if (!(truth instanceof Object)) return [path];
    // An entry whose amount is not known is shown as what the service lists, no more.
    if (Reflect.get(said, "amount") === null) return [];
    return Object.entries(said).flatMap(([name, one]) => {
      return differences(Reflect.get(truth, name), one, path ? `${path}.${name}` : name);
    });
  }
  return truth === said ? [] : [`${path}: ${JSON.stringify(said)} in place of ${JSON.stringify(truth)}`];
}

/** Returns the words of a text in which money, an account or a transaction is named. */
function figuresIn(text: string): string[] {
  const bare = text.replace(/\d{4}-\d\d-\d\d[T ]?[\d:.]*Z?|[a-z]+_[0-9A-HJKMNP-TV-Z]{26}/g, "");
  return bare.match(/0x[0-9a-fA-F]{6,}|\d[\d,]*(?:\.\d+)?/g) ?? [];
}

/** Returns the figures that a text names and the truth does not. */
export function inventedIn(truth: string, said: string): string[] {
  const known = new Set(figuresIn(truth));
  return figuresIn(said).filter((figure) => !known.has(figure));
}

import { HalcyonError } from "@/sdk/api/errors";

/**
 * Fields of reports that only the service says: nothing on the chain can contradict them. Everything else in a report
 * has to be what an honest service makes it, or missing.
 */
const SERVICE_SAYS = new Set([
  "transfer_id",
  "created_at",
  "confirmed_at",
  "decided_at",
  "closed_at",
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

/** What only the service says of an entry that could not be read: all but what is encrypted in it. */
const LISTED = [
  ...["asset", "asset_address", "payee", "agent", "from_address", "to_address", "direction", "kind", "confidential"],
  ...["status", "tx_hash", "requested_at", "expires_at"],
];

/** What only the service says of an entry that says so itself. */
const SAID_STATUS = ["unverified_status", "status", "state", "paid_by"];

/** Fields of reports that move on by themselves: the newest block. */
const MOVES_ON = new Set(["block", "block_time", "checked_block"]);

/** What a run of a verb did. */
export interface Outcome {
  report: unknown;
  error: unknown;
  /** What moved on the chain, and in which transactions. */
  moves: string[];
  hashes: string[];
}

/** What a run of a verb should do. */
export interface Expected {
  /** What it reports with an honest service. */
  truth: unknown;
  /** Names of the report's fields that differ from run to run. */
  varies: ReadonlySet<string>;
  /** What has to move on the chain; undefined for a verb that only reports. */
  moves: readonly string[] | undefined;
  /** More fields of this verb's report that only the service says. */
  labels?: readonly string[] | undefined;
  /** Whether an empty report may say that there was nothing to do. */
  mayRest?: boolean | undefined;
  /** How many payments a report counts as made, where each may fail alone. */
  madeIn?: ((report: unknown) => number | readonly [number, number]) | undefined;
  /** Addresses that the chain shows, which may stand in for the names that a service gives them. */
  addresses: readonly string[];
}

/** Returns the paths at which a report differs from the truth. */
export function differences(
  truth: unknown,
  said: unknown,
  path = "",
  believed: ReadonlySet<string> = SERVICE_SAYS,
): string[] {
  const key = path.split(".").at(-1) ?? "";
  // A statement that says what does not add up has noticed the lie.
  // So has a rotation that says what failed, beside the numbers of what did not.
  if (["problems", "unfinished", "unverified_names"].includes(key) || (key === "adds_up" && said === false)) return [];
  // What is not known is not said wrongly, nor what is not known yet.
  // Who sent a call depends on whether the service did.
  if (key === "by" && said === "wallet") return [];
  if (key === "status" && (said === "pending" || (said === "sent" && truth === "paid"))) return [];
  if (believed.has(key) || MOVES_ON.has(key) || said === null || said === undefined) return [];
  if (Array.isArray(said)) {
    if (!Array.isArray(truth)) return [path];
    // Each entry is one of the truth, and is not there more often.
    const isThere = (one: unknown) => {
      const alike = said.filter((other) => JSON.stringify(other) === JSON.stringify(one));
      return truth.filter((each) => differences(each, one, path, believed).length === 0).length >= alike.length;
    };
    return said.flatMap((one, at) => (isThere(one) ? [] : [`${path}.${at} ${JSON.stringify(one)}`]));
  }
  if (said instanceof Object) {
    if (!(truth instanceof Object)) return [path];
    // An entry whose amount or details are not known is shown as what the service lists, no more.
    const isUnread = Reflect.get(said, "amount") === null || Reflect.get(said, "details") === null;
    // A policy that the ledger does not have is the service's word.
    if (["no", "pending"].includes(String(Reflect.get(said, "in_force")))) return [];
    const isSaid = Reflect.get(said, "unverified_status") === true;
    const inner = new Set([...believed, ...(isUnread ? LISTED : []), ...(isSaid ? SAID_STATUS : [])]);
    return Object.entries(said).flatMap(([name, one]) => {
      return differences(Reflect.get(truth, name), one, path ? `${path}.${name}` : name, inner);
    });
  }
  return truth === said ? [] : [`${path}: ${JSON.stringify(said)} in place of ${JSON.stringify(truth)}`];
}

/**
 * Returns a text without what is the service's word: what it calls unverified, and handles. Without the commands that
 * it names, too.
 */
const withoutCommitment = (text: string) => text.replace(/\S+ \(unverified\)|`[^`]*`|@[\w/-]+/g, "");

/** Returns the words of a text in which money, an account or a transaction is named. */
function figuresIn(text: string): string[] {
  const bare = withoutCommitment(text)
    .replace(/https?:\/\/[^\s/]+/g, "")
    .replace(/\d{4}-\d\d-\d\d[T ]?[\d:.]*Z?|[a-z]+_[0-9A-HJKMNP-TV-Z]{26}/g, "");
  return bare.match(/0x[0-9a-fA-F]{6,}|\d[\d,]*(?:\.\d+)?/g) ?? [];
}

/** The words by which a text says how things stand, and the names of assets. */
const STATES =
  /\b(?:USDG|ETH|confirmed|failed|paid|unpaid|sent|received|refunded|open|expired|cancelled|processing|finished|paused|active|ended|proven|refused|final|valid|invalid|exact|underpaid|overpaid|unrelated|(?:on|off)(?=\s*$))\b/g;

/** Returns the words of a text that say how things stand. */
const statesIn = (text: string): string[] => withoutCommitment(text).match(STATES) ?? [];

/** Returns the lines of a text whose figures and states do not stand together in a line of the truth. */
export function inventedIn(truth: string, said: string, known: readonly string[] = []): string[] {
  const wordsOf = (line: string) => [...figuresIn(line), ...statesIn(line)];
  const lines = truth.split("\n").map((line) => new Set([...wordsOf(line), ...known]));
  return said.split("\n").filter((line) => {
    const words = wordsOf(line);
    return words.length > 0 && !lines.some((one) => words.every((word) => one.has(word)));
  });
}

/** Returns the transactions that a report names and that did not move this money. */
function wrongHashes(report: unknown, hashes: readonly string[]): string[] {
  const named = JSON.stringify(report ?? null).matchAll(/"tx_hash(?:es)?":(?:\[)?"(0x[0-9a-f]{64})"/g);
  return [...named].flatMap(([, hash = ""]) => (hashes.includes(hash) ? [] : [`reports the transaction ${hash}`]));
}

/** An id or a hash. */
const NEVER_THE_SAME = /^([a-z]+_[0-9A-HJKMNP-TV-Z]{26}|0x[0-9a-f]{64})$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/**
 * Returns the names of the fields in which two reports of an honest service differ.
 *
 * @param labels more fields that only the service says
 * @throws Error if it is another field than an id, a hash, or a time that only the service says: nothing else may be
 *   left out of a comparison. What a run would take from its clock is given to the verb, or two runs are alike by
 *   chance
 */
export function varying(one: unknown, other: unknown, labels: readonly string[] = [], key = ""): Set<string> {
  if (one instanceof Object && other instanceof Object) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const inner = names.map((name) => {
      return varying(Reflect.get(one, name), Reflect.get(other, name), labels, Array.isArray(one) ? key : name);
    });
    return new Set(inner.flatMap((found) => [...found]));
  }
  if (one === other) return new Set();
  const isSaid = SERVICE_SAYS.has(key) || labels.includes(key);
  for (const value of [String(one), String(other)]) {
    if (!NEVER_THE_SAME.test(value) && !(isSaid && TIME.test(value)))
      throw new Error(`${key} is ${one}, and then ${other}`);
  }
  return new Set([key]);
}

const without = (report: unknown, names: ReadonlySet<string>): unknown =>
  JSON.parse(JSON.stringify(report ?? null, (key, value) => (names.has(key) ? undefined : value)));

/** Returns what a payment's report says otherwise than the chain. */
function wrongOfPayment(truth: unknown, report: unknown, varies: ReadonlySet<string>, labels: readonly string[]) {
  return differences(without(truth, varies), without(report, varies), "", new Set([...SERVICE_SAYS, ...labels]));
}

/** Reports whether all that moved was asked for, each once. */
function isPart(moves: readonly string[], wanted: readonly string[] = []): boolean {
  const times = (all: readonly string[], one: string) => all.filter((other) => other === one).length;
  return moves.every((one) => times(moves, one) <= times(wanted, one));
}

/** Reports whether an error says that what was asked may have been done, or may still be. */
export function isLeftOpen(error: unknown): boolean {
  if (!(error instanceof HalcyonError)) return false;
  const isOpen =
    error.code === "outcome_unknown" || ["OutcomeUnknown", "TransferNotFinal", "ResponseLost"].includes(error.name);
  return isOpen || error.mayHaveHappened === true || error.mayHappenUntil !== undefined;
}

/**
 * Returns what came out wrongly: anything but exactly what was asked, reported as the chain shows it, or an error
 * without any effect that it denies. Null if nothing did.
 */
export function wrongIn(expected: Expected, outcome: Outcome): string | null {
  const { truth, varies, moves: wanted, labels = [], addresses } = expected;
  const { report, error, moves, hashes } = outcome;
  const isWhole = String(moves.toSorted()) === String(wanted?.toSorted() ?? []);
  if (!isWhole && error === undefined && isPart(moves, wanted)) {
    const counted = expected.madeIn?.(report) ?? -1;
    const [least, most] = typeof counted === "number" ? [counted, counted] : counted;
    if (least <= moves.length && moves.length <= most) return null;
  }
  // What pays one after the other may stop halfway, if it says that it goes on when it is repeated.
  if (!isWhole && expected.madeIn && isPart(moves, wanted) && isLeftOpen(error)) return null;
  if (moves.length > 0 && !isWhole) return `moved ${moves.join(", ")}`;
  if (error !== undefined) {
    if (!(error instanceof HalcyonError)) return `threw ${String(error)}`;
    if (error.code === "internal") return `threw ${error.name} internal: ${error.message}`;
    if (moves.length > 0 && !isLeftOpen(error)) return `paid, and threw ${error.name} ${error.code}: ${error.message}`;
    return null;
  }
  const isRest = Array.isArray(report) && report.length === 0;
  if (!isWhole && expected.mayRest && isRest) return null;
  if (!isWhole) return `moved nothing, and reported ${JSON.stringify(report)}`;
  const wrong =
    typeof truth === "string"
      ? inventedIn(truth, String(report), wanted ? [...addresses, ...hashes] : addresses)
      : wanted
        ? [...wrongHashes(report, hashes), ...wrongOfPayment(truth, report, varies, labels)]
        : differences(truth, report, "", new Set([...SERVICE_SAYS, ...labels]));
  return wrong.length > 0 ? wrong.join("; ") : null;
}

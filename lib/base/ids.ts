import { decodeTime, encodeTime, monotonicFactory, ulid as randomUlid } from "ulid";

/** All id prefixes. An id is its prefix and a ULID (https://github.com/ulid/spec), so ids sort by time. */
export const ID_PREFIX = {
  account: "acct_",
  transfer: "tr_",
  policy: "pol_",
  transaction: "txn_",
  webhook: "wh_",
  event: "evt_",
  delivery: "dlv_",
  key: "key_",
  audit: "aud_",
  backup: "bak_",
  operation: "op_",
  request: "req_",
  payout: "po_",
  paymentRequest: "payreq_",
  schedule: "sch_",
  scheduleRun: "run_",
  view: "view_",
  connection: "con_",
  emailAddress: "eml_",
  pushDevice: "dev_",
} as const;

export type IdKind = keyof typeof ID_PREFIX;
export type Id<K extends IdKind> = `${(typeof ID_PREFIX)[K]}${string}`;

const RANDOM = new Uint8Array(1024);
let used = RANDOM.length;

/**
 * Returns a random fraction with one byte of randomness. Bytes are fetched in bulk: each id takes sixteen of them, and
 * each request has an id.
 */
function random(): number {
  if (used === RANDOM.length) {
    crypto.getRandomValues(RANDOM);
    used = 0;
  }
  return (RANDOM[used++] as number) / 256;
}

/** In milliseconds: a clock is corrected by less in passing. Far less than {@link ID_SLACK_MS}. */
const CORRECTION_MS = 60_000;

let ulid = monotonicFactory(random);
let latest = 0;

/**
 * Returns the next ULID. After a clock that was ahead was set right, ids begin again: with the time of before, lists
 * that are bounded by time would leave their rows out until the clock had caught up.
 */
function next(): string {
  const now = Date.now();
  const isBack = now < latest - CORRECTION_MS;
  if (isBack) ulid = monotonicFactory(random);
  if (isBack || now > latest) latest = now;
  return ulid(now);
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * What anyone who knows its id may read, encrypted. Within a millisecond, ids that sort differ by one from each other,
 * and every response shows one, so that others could be guessed. The ids of these have 80 random bits each.
 */
const OPEN_BY_ID: ReadonlySet<IdKind> = new Set(["view", "paymentRequest"]);

/**
 * Returns a new id, greater than every earlier id of this process unless its clock was set back by over a minute. Ids of
 * what is open to everyone who knows them sort by time alone.
 *
 * @example newId("transfer"); // "tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX"
 */
export function newId<K extends IdKind>(kind: K): Id<K> {
  return `${ID_PREFIX[kind]}${OPEN_BY_ID.has(kind) ? randomUlid(Date.now(), random) : next()}`;
}

/** Reports whether `text` is a well-formed id of this kind. Case must match. */
export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  const prefix = ID_PREFIX[kind];
  return text.startsWith(prefix) && ULID.test(text.slice(prefix.length));
}

/**
 * Returns a boundary that sorts between ids created before a time and ids created since. The times in an id and in its
 * row's `created_at` differ by less than {@link ID_SLACK_MS}, so a bound with that much room leaves out no row.
 *
 * @param ms milliseconds since 1970
 */
export function idAt(kind: IdKind, ms: number): string {
  return `${ID_PREFIX[kind]}${encodeTime(Math.max(0, ms), 10)}`;
}

/** Milliseconds. More than any transaction takes and than the clocks of two machines differ. */
export const ID_SLACK_MS = 10 * 60_000;

/** Returns when an id was created, in milliseconds since 1970. */
export function idTime(kind: IdKind, id: string): number {
  return decodeTime(id.slice(ID_PREFIX[kind].length));
}

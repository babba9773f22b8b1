import { decodeTime, encodeTime, monotonicFactory } from "ulid";

/** The one list of id prefixes. An id is its prefix and a ULID (https://github.com/ulid/spec), so ids sort by time. */
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

/** A random fraction of one byte, of many asked for at once: one id takes sixteen, and each request has one. */
function random(): number {
  if (used === RANDOM.length) {
    crypto.getRandomValues(RANDOM);
    used = 0;
  }
  return (RANDOM[used++] as number) / 256;
}

const ulid = monotonicFactory(random);
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/**
 * A fresh id, greater than every earlier one of this process.
 *
 * @example
 * newId("transfer"); // "tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX"
 */
export function newId<K extends IdKind>(kind: K): Id<K> {
  return `${ID_PREFIX[kind]}${ulid()}`;
}

/** Whether `text` is a well-formed id of that kind (exact case, as handed out). */
export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  const prefix = ID_PREFIX[kind];
  return text.startsWith(prefix) && ULID.test(text.slice(prefix.length));
}

/**
 * What separates ids made before a time from those made since. An id and its row's `created_at` differ by less than
 * {@link ID_SLACK_MS}: a bound on ids that leaves this much room leaves out no row.
 *
 * @param ms since 1970
 */
export function idAt(kind: IdKind, ms: number): string {
  return `${ID_PREFIX[kind]}${encodeTime(Math.max(0, ms), 10)}`;
}

/** More than a transaction takes, and than clocks differ. Milliseconds. */
export const ID_SLACK_MS = 10 * 60_000;

/** When an id was made, milliseconds since 1970. */
export function idTime(kind: IdKind, id: string): number {
  return decodeTime(id.slice(ID_PREFIX[kind].length));
}

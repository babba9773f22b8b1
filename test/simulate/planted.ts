/*
 * Faults that a product could have, and what is said of each: by the checkers of `npm run simulate` and `npm run kill`,
 * or by the tests of the installed package. test/long/planted.test.ts plants them all in one product; none hides another.
 */

/** What someone does to the database of a run before everyone looks. */
export interface PlantedData {
  fault: string;
  statement: string;
  caught: RegExp;
}

/** A payment of the run, each number another one. */
const payment = (n: number) =>
  `(select id from transfers where status = 'confirmed' and kind = 'transfer' order by created_at, id offset ${n} limit 1)`;
/** How many payments of the run a transaction may have made. */
const COUNTS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const confirmed = `type = 'transfer.confirmed'`;
const event = (where: string, n: number) => `(select id from events where ${where} order by id offset ${n} limit 1)`;

/** The run in whose database they are planted: nothing fails in it but an endpoint, and a key is replaced. */
export const PLANTED_RUN = { seed: 751_014, steps: 9 } as const;

export const PLANTED_DATA: readonly PlantedData[] = [
  {
    fault: "an event says that someone else was paid, in another asset, by another transaction",
    statement: `update events set payload = (payload::jsonb || '{"counterparty": "@somebody-else", "asset": "ETH", "tx_hash": "0x00"}')::json where id = ${event(confirmed, 0)}`,
    caught: /\(transfer\.confirmed of \S+ at \S+\) has another counterparty/,
  },
  {
    fault: "a delivered event is gone",
    statement: `delete from events where id = ${event(confirmed, 2)}`,
    caught: /transfer\.confirmed \S+ of \S+ at \S+ happened 0 times, not 1/,
  },
  {
    fault: "a payment is gone",
    statement: `delete from transfers where id = ${payment(0)}`,
    caught: /transfer\.initiated sent of tr_\S+ at \S+ happened 1 times, not 0/,
  },
  {
    fault: "a confirmed payment is called failed",
    statement: `update transfers set status = 'failed', failed_at = confirmed_at, confirmed_at = null where id = ${payment(1)}`,
    // Its client sees what the chain has. Once the service has noticed too, it announces the payment again.
    caught: /is called confirmed null|transfer\.confirmed \S+ of \S+ at \S+ happened 2 times, not 1/,
  },
  {
    fault: "a payment is shown with another one's transaction",
    // Payments of one batch have the same.
    statement: `update transfers set tx_hash = (select other.tx_hash from transfers other where other.status = 'confirmed' and other.kind = 'transfer' and other.tx_hash <> transfers.tx_hash order by other.id limit 1) where id = ${payment(2)}`,
    // The other one: where a payment is gone or failed, fewer are listed.
    caught: new RegExp(COUNTS.map((made) => `made ${made} payments on the ledger, and [${made + 1}-9] are`).join("|")),
  },
  {
    fault: "a payment's time of confirmation is a year later",
    statement: `update transfers set confirmed_at = confirmed_at + interval '1 year' where id = ${payment(4)}`,
    caught: /was accepted (\d{4})\S+, mined \d+, and is called confirmed (?!\1|null)/,
  },
  {
    fault: "a revoked key works again",
    statement: "update api_keys set revoked_at = null where revoked_at is not null",
    caught: /the API key \S+ has to be revoked, and is not revoked/,
  },
  {
    fault: "the keys of idempotent requests are gone",
    statement: "delete from idempotency_keys",
    caught: /has several transfers/,
  },
  {
    fault: "the history of deliveries is gone",
    statement: "delete from webhook_deliveries where status = 'succeeded'",
    caught: /delivered, and not in the history/,
  },
];

/** A fault in the product's own code. */
export interface PlantedCode {
  fault: string;
  file: string;
  /** What stands there once, and what stands there instead. */
  right: string;
  wrong: string;
  /** What each says of it that can see it. */
  simulate?: RegExp;
  kill?: RegExp;
  installed?: RegExp;
}

export const PLANTED_CODE: readonly PlantedCode[] = [
  {
    // Within the day in which deliveries are tried again: beyond it, this one would never be.
    fault: "a delivery that failed is tried again half a day later",
    file: "lib/events/webhooks/delivery/schedule.ts",
    right: "const FIRST_DELAY_MS = 5_000;",
    wrong: "const FIRST_DELAY_MS = 43_000_000;",
    simulate: /not tried again before /,
    kill: /never delivered to /,
  },
  {
    fault: "X-Service-Signature is by another key",
    file: "lib/events/webhooks/delivery/sign.ts",
    right: `const headers = ["x-service-signature", mac(current.own, body, "hex")];`,
    wrong: `const headers = ["x-service-signature", mac(current.standard, body, "hex")];`,
    simulate: /not signed by its account's secret/,
    kill: /was not signed by its webhook's secret/,
  },
  {
    // Not those of confirmed payments: one of them is changed in the database.
    fault: "events of accepted payments name someone else and another asset",
    file: "lib/payments/append-transfer-events.ts",
    right: "await appendEvents(tx, events, now);",
    wrong: `if (type === "transfer.initiated")
    for (const { payload } of events) Object.assign(payload, { counterparty: "@somebody-else", asset: "ETH" });
  await appendEvents(tx, events, now);`,
    simulate: /\(transfer\.initiated of \S+ at \S+\) has another counterparty/,
    kill: /transfer\.initiated of \S+ says otherwise/,
  },
  {
    fault: "the installed package finds none of the circuits that it kept",
    file: "sdk/context/platform/file-circuits.ts",
    right: "if (found) return new Uint8Array(found);",
    wrong: "if (found && folder === this.packaged) return new Uint8Array(found);",
    installed: /transfers\.create of a process that has them: [\s\S]*asked the service for a circuit that is kept/,
  },
];

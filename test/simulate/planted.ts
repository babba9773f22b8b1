/*
 * Faults that a product could have, to plant in one: what the checkers of `npm run simulate` and `npm run kill` say of
 * each. test/long/planted.test.ts plants them.
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
const confirmed = `type = 'transfer.confirmed'`;
const event = (where: string, n: number) => `(select id from events where ${where} order by id offset ${n} limit 1)`;

export const PLANTED_DATA: readonly PlantedData[] = [
  {
    fault: "an event says that someone else was paid, in another asset, by another transaction",
    statement: `update events set payload = (payload::jsonb || '{"counterparty": "@somebody-else", "asset": "ETH", "tx_hash": "0x00"}')::json where id = ${event(confirmed, 0)}`,
    caught: /\(transfer\.confirmed of \S+ at \S+\) has another counterparty/,
  },
  {
    fault: "a delivered event is gone",
    statement: `delete from events where id = ${event(confirmed, 2)}`,
    caught: /delivered, but no event: evt_/,
  },
  {
    fault: "a payment is gone",
    statement: `delete from transfers where id = ${payment(0)}`,
    caught: /was accepted as 1 transfers, and 0 were received/,
  },
  {
    fault: "a confirmed payment is called failed",
    statement: `update transfers set status = 'failed', failed_at = confirmed_at, confirmed_at = null where id = ${payment(1)}`,
    caught: /is failed, and its transaction went through/,
  },
  {
    fault: "a payment is shown with another one's transaction",
    statement: `update transfers set tx_hash = (select tx_hash from transfers where id = ${payment(3)}) where id = ${payment(2)}`,
    caught: /made \d payments on the ledger, and \d are listed/,
  },
  {
    fault: "a payment's time of confirmation is a year later",
    statement: `update transfers set confirmed_at = confirmed_at + interval '1 year' where id = ${payment(4)}`,
    caught: /is called confirmed/,
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
  /** What each checker says. */
  simulate: RegExp;
  kill: RegExp;
}

export const PLANTED_CODE: readonly PlantedCode[] = [
  {
    fault: "a delivery that failed is tried again after a day",
    file: "lib/events/webhooks/delivery/schedule.ts",
    right: "const FIRST_DELAY_MS = 5_000;",
    wrong: "const FIRST_DELAY_MS = 86_000_000;",
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
    fault: "events of payments name someone else and another asset",
    file: "lib/payments/append-transfer-events.ts",
    right: "await appendEvents(tx, events, now);",
    wrong: `for (const { payload } of events) Object.assign(payload, { counterparty: "@somebody-else", asset: "ETH" });
  await appendEvents(tx, events, now);`,
    simulate: /has another counterparty/,
    kill: /transfer\.confirmed of \S+ says otherwise/,
  },
];

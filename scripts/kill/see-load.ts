import { sleep } from "../stack/processes";
import { eventIn, isDelivered, isSigned } from "./deliveries";
import { FAUCET, type Load, type Payer } from "./load";

const SETTLE_MS = 300_000;
const PAGE = 100;

/** A payment's request, and the transfers in the responses to it: at first, and when it was repeated at the end. */
export interface SeenPayment {
  key: string;
  /** Handle of the payer. */
  payer: string;
  /** In millionths of a USDG. */
  amount: bigint;
  transferId: string | undefined;
  again: string | undefined;
}

export interface SeenTransfer {
  id: string;
  status: string;
  txHash: string;
}

export interface SeenEvent {
  type: string;
  eventId: string;
  /** The transfer's id. */
  id: string;
  /** All that the list shows. */
  event: Readonly<Record<string, unknown>>;
}

/** What an endpoint got. */
export interface SeenDelivery {
  eventId: string;
  event: Readonly<Record<string, unknown>>;
  /** Both of its signatures are by its webhook's secret. */
  signed: boolean;
  at: number;
  /** The endpoint took it. */
  accepted: boolean;
}

export interface SeenPayer {
  handle: string;
  events: readonly SeenEvent[];
  deliveries: readonly SeenDelivery[];
  /** In millionths: what it was given, and what its wallet decrypts. */
  given: bigint;
  left: bigint;
}

/** Everything that is seen from outside once all of the product works again. */
export interface SeenLoad {
  payments: readonly SeenPayment[];
  /** The payers' transfers by their lists. */
  transfers: readonly SeenTransfer[];
  payers: readonly SeenPayer[];
  recipient: { handle: string; events: readonly SeenEvent[]; holds: bigint; unreadable: number };
  /** The last failures that reached callers. */
  failures: readonly string[];
}

/**
 * Looks at everything once nothing is pending any more or the time is up, and repeats every request.
 *
 * @param patience how long deliveries are waited for, in milliseconds
 */
export async function seeLoad(load: Load, patience = SETTLE_MS): Promise<SeenLoad> {
  const transfers: SeenTransfer[] = [];
  for (const payer of load.payers) transfers.push(...(await settled(payer)));
  const payments: SeenPayment[] = [];
  for (const payment of load.payments) {
    const { key, payer, amount, transferId } = payment;
    payments.push({ key, payer: payer.handle, amount, transferId, again: await load.untilAnswered(payment) });
  }
  const { handle, client } = load.recipient;
  let balance = await client.balances.decrypt({ asset: "USDG" });
  // One call reads a page of notes. Making them available moves them into the available balance.
  for (; balance.has_more; balance = await client.balances.decrypt({ asset: "USDG" }))
    await client.balances.makeAvailable();
  const recipient = {
    handle,
    events: await eventsOf(load.url, load.recipient),
    holds: micro(balance.total),
    unreadable: balance.unreadable,
  };
  const payers: SeenPayer[] = [];
  const until = Date.now() + patience;
  for (const payer of load.payers) {
    const events = await eventsOf(load.url, payer);
    payers.push({
      handle: payer.handle,
      events,
      deliveries: await deliveriesTo(load, payer, events, until),
      given: micro(FAUCET),
      left: micro((await payer.wallet.balances.decrypt({ asset: "USDG" })).total),
    });
  }
  return { payments, transfers, payers, recipient, failures: load.failures.slice(-3) };
}

/** Returns what the payer's endpoint got, once all its events have come or the time is up. */
async function deliveriesTo(
  { taken }: Load,
  { path, secret }: Payer,
  events: readonly SeenEvent[],
  until: number,
): Promise<SeenDelivery[]> {
  const announced = events.filter(({ type }) => isDelivered(type));
  for (; ; await sleep(500)) {
    const got = (["accepted", "refused"] as const).flatMap((as) =>
      taken[as]
        .filter((one) => one.path === path)
        .map((one) => {
          const event = eventIn(one);
          return {
            eventId: event.event_id,
            event,
            signed: isSigned(one, [secret]),
            at: one.at,
            accepted: as === "accepted",
          };
        }),
    );
    const ids = new Set(got.filter(({ accepted }) => accepted).map(({ eventId }) => eventId));
    if (Date.now() > until || announced.every(({ eventId }) => ids.has(eventId))) return got;
  }
}

const micro = (amount: string) => {
  const [whole = "0", part = ""] = amount.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0"));
};

/** Returns the payer's transfers, once none is pending or the time is up. */
async function settled({ client }: Payer): Promise<SeenTransfer[]> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(500)) {
    const all: SeenTransfer[] = [];
    for await (const { transfer_id: id, status, tx_hash: txHash } of client.transfers.list({ limit: PAGE }))
      all.push({ id, status, txHash });
    if (Date.now() > end || all.every(({ status }) => status !== "pending")) return all;
  }
}

/** Reads with retries, like any client, while connections break or the service is overloaded. */
async function readAgain<T>(url: string, apiKey: string): Promise<T> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(500)) {
    try {
      const response = await fetch(url, { headers: { authorization: `Bearer ${apiKey}` } });
      if (response.ok || Date.now() > end) return (await response.json()) as T;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

async function eventsOf(url: string, { apiKey }: { apiKey: string }): Promise<SeenEvent[]> {
  const found: SeenEvent[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await readAgain<{
      events: { event: string; event_id: string; transfer_id?: string }[];
      has_more: boolean;
    }>(`${url}/v1/events?limit=${PAGE}&offset=${offset}`, apiKey);
    for (const event of page.events) {
      const { event: type, event_id: eventId, transfer_id: id = "" } = event;
      found.push({ type, eventId, id, event });
    }
    if (!page.has_more) return found;
  }
}

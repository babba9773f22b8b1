import { isDeepStrictEqual } from "node:util";
import { sleep } from "../stack/processes";
import { eventIn, isSigned } from "./deliveries";
import { DELIVERED, FAUCET, type Load, type Payer } from "./load";

const SETTLE_MS = 300_000;
const PAGE = 100;
/** A refused delivery is tried again after five seconds, by the clock of another process. */
const RETRY_MS = 4_900;

interface Happened {
  type: string;
  eventId: string;
  /** The transfer's id. */
  id: string;
  /** All that the list shows. */
  event: Readonly<Record<string, unknown>>;
}

interface Listed {
  id: string;
  status: string;
  txHash: string;
}

/**
 * Checks the product's promises from outside once all of it works again: every idempotency key is one transfer, nothing
 * stays pending, what the recipient's wallet decrypts is what was sent, and each payer has the rest. Each transfer's
 * events happened once, on both sides, and say what happened. Each event was delivered as listed, signed, and nothing
 * else was; what the endpoint refused came again in time.
 *
 * @returns what is wrong, one line each; empty if every promise was kept
 */
export async function checkLoad(load: Load): Promise<string[]> {
  const wrong: string[] = [];
  const expect = (ok: boolean, line: string) => {
    if (!ok) wrong.push(line);
  };
  const { payments, payers } = load;
  const unanswered = payments.filter(({ transferId }) => transferId === undefined).length;
  expect(unanswered === 0, `${unanswered} payments were never answered: ${load.failures.slice(-3).join("; ")}`);

  const listed = new Map<string, Listed>();
  for (const payer of payers) for (const one of await settled(payer)) listed.set(one.id, one);
  const open = [...listed.values()].filter(({ status }) => status !== "confirmed");
  expect(open.length === 0, `not confirmed: ${open.map(({ id, status }) => `${id} ${status}`).join(", ")}`);
  expect(listed.size === payments.length, `${payments.length} keys made ${listed.size} transfers`);
  for (const payment of payments) {
    const again = await load.send(payment);
    expect(again === payment.transferId, `key ${payment.key} was answered ${payment.transferId}, now ${again}`);
    expect(listed.has(again), `${again} is not in its payer's list`);
  }

  const sent = payments.reduce((sum, { amount }) => sum + amount, 0n);
  const { client: recipient } = load.recipient;
  let balance = await recipient.balances.decrypt({ asset: "USDG" });
  // One call reads a page of notes. Making them available moves them into the budget.
  for (; balance.has_more; balance = await recipient.balances.decrypt({ asset: "USDG" }))
    await recipient.balances.makeAvailable();
  const { total, unreadable } = balance;
  expect(micro(total) === sent, `the recipient's wallet decrypts ${total} USDG, ${sent} millionths were sent`);
  expect(unreadable === 0, `${unreadable} notes do not open`);

  const arrived = await events(load.url, load.recipient);
  for (const { payer, transferId } of payments) {
    const of = arrived.filter(({ type, id }) => type === "transfer.confirmed" && id === transferId);
    const says = of.every(({ event }) => saysSo(event, payer.handle, listed.get(transferId ?? "")));
    expect(of.length === 1 && says, `the recipient's transfer.confirmed of ${transferId} is there ${of.length} times`);
  }

  for (const payer of payers) {
    const paid = payments.filter((one) => one.payer === payer).reduce((sum, { amount }) => sum + amount, 0n);
    const left = micro((await payer.wallet.balances.decrypt({ asset: "USDG" })).total);
    const due = micro(FAUCET) - paid;
    expect(left === due, `${payer.handle} has to have ${due} millionths, and has ${left}`);
    const counts = new Map<string, number>();
    const happened = await events(load.url, payer);
    for (const { type, id, event } of happened) {
      const isOfTransfer = isDelivered(type);
      const says = !isOfTransfer || saysSo(event, load.recipient.handle, listed.get(id));
      expect(says, `${type} of ${id} says otherwise: ${JSON.stringify(event)}`);
    }
    for (const { type, id } of happened) counts.set(`${type} ${id}`, (counts.get(`${type} ${id}`) ?? 0) + 1);
    for (const { payer: owner, transferId } of payments) {
      if (owner !== payer) continue;
      for (const type of ["transfer.initiated", "transfer.confirmed"]) {
        const count = counts.get(`${type} ${transferId}`) ?? 0;
        expect(count === 1, `${type} of ${transferId} happened ${count} times`);
      }
    }
    const failed = [...counts.keys()].filter((name) => name.startsWith("transfer.failed"));
    expect(failed.length === 0, failed.join(", "));
    const subscribed = happened.filter(({ type }) => isDelivered(type));
    const announced = new Set(subscribed.map(({ eventId }) => eventId));
    const delivered = await deliveries(load, payer, announced);
    const missing = [...announced].filter((id) => !delivered.has(id));
    expect(missing.length === 0, `never delivered to ${payer.handle}: ${missing.join(", ")}`);
    for (const { event, eventId } of subscribed) {
      const got = load.taken.accepted.filter((one) => one.path === payer.path && eventIn(one).event_id === eventId);
      const asListed = got.every((one) => isDeepStrictEqual(eventIn(one), event));
      expect(asListed, `${eventId} was delivered otherwise than listed`);
      expect(
        got.every((one) => isSigned(one, [payer.secret])),
        `${eventId} was not signed by its webhook's secret`,
      );
      const refused = load.taken.refused.find((one) => one.path === payer.path && eventIn(one).event_id === eventId);
      const again = got[0];
      const isEarly = refused && again && again.at - refused.at < RETRY_MS;
      expect(!isEarly, `${eventId} came again ${again && refused && again.at - refused.at} ms after it was refused`);
    }
    const strange = [...delivered].filter((id) => !announced.has(id));
    expect(strange.length === 0, `delivered to ${payer.handle}, but no event of its: ${strange.join(", ")}`);
  }
  return wrong;
}

/** Reports whether an event has the other party, the asset and the transaction of its transfer. */
function saysSo(event: Happened["event"], counterparty: string, transfer: Listed | undefined): boolean {
  const isMined = event.event !== "transfer.confirmed" || event.tx_hash === transfer?.txHash;
  return event.counterparty === `@${counterparty}` && event.asset === "USDG" && isMined;
}

const isDelivered = (type: string) => (DELIVERED as readonly string[]).includes(type);

/** Returns the ids of the events that the payer's endpoint received, once all have arrived or the time is up. */
async function deliveries({ taken }: Load, { path }: Payer, announced: ReadonlySet<string>): Promise<Set<string>> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(500)) {
    const got = taken.accepted.filter((one) => one.path === path);
    const ids = new Set(got.map((one) => eventIn(one).event_id));
    if (Date.now() > end || [...announced].every((id) => ids.has(id))) return ids;
  }
}

const micro = (amount: string) => {
  const [whole = "0", part = ""] = amount.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0"));
};

/** Returns the payer's transfers, once none is pending or the time is up. */
async function settled({ client }: Payer): Promise<Listed[]> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(500)) {
    const all: Listed[] = [];
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

async function events(url: string, { apiKey }: { apiKey: string }): Promise<Happened[]> {
  const found: Happened[] = [];
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

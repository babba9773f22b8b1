import { sleep } from "../stack/processes";
import { DELIVERED, type Load, type Payer } from "./load";

const SETTLE_MS = 300_000;
const PAGE = 100;

interface Happened {
  type: string;
  eventId: string;
  /** The transfer's id. */
  id: string;
}

interface Listed {
  id: string;
  status: string;
}

/**
 * Checks the product's promises from outside once all of it works again: every idempotency key is one transfer, nothing
 * stays pending, what the recipient's wallet decrypts is what was sent, each transfer's events happened once, each
 * event was delivered, and nothing else was.
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

  for (const payer of payers) {
    const counts = new Map<string, number>();
    const happened = await events(load.url, payer);
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
    const announced = new Set(happened.filter(({ type }) => isDelivered(type)).map(({ eventId }) => eventId));
    const delivered = await deliveries(load, payer, announced);
    const missing = [...announced].filter((id) => !delivered.has(id));
    expect(missing.length === 0, `never delivered to ${payer.handle}: ${missing.join(", ")}`);
    const strange = [...delivered].filter((id) => !announced.has(id));
    expect(strange.length === 0, `delivered to ${payer.handle}, but no event of its: ${strange.join(", ")}`);
  }
  return wrong;
}

const isDelivered = (type: string) => (DELIVERED as readonly string[]).includes(type);

/** Returns the ids of the events that the payer's endpoint received, once all have arrived or the time is up. */
async function deliveries({ receiver }: Load, { path }: Payer, announced: ReadonlySet<string>): Promise<Set<string>> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(500)) {
    const got = receiver.received.filter((one) => one.path === path);
    const ids = new Set(got.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id));
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
    for await (const { transfer_id: id, status } of client.transfers.list({ limit: PAGE })) all.push({ id, status });
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

async function events(url: string, { apiKey }: Payer): Promise<Happened[]> {
  const found: Happened[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await readAgain<{
      events: { event: string; event_id: string; transfer_id?: string }[];
      has_more: boolean;
    }>(`${url}/v1/events?limit=${PAGE}&offset=${offset}`, apiKey);
    for (const { event, event_id: eventId, transfer_id: id = "" } of page.events) {
      found.push({ type: event, eventId, id });
    }
    if (!page.has_more) return found;
  }
}

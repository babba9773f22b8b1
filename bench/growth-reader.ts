/*
 * Reads every list and looks everything up in one database, for bench/growth.ts: it names a read and how often, and gets
 * the milliseconds of each. The database is the one of the environment, filled by scripts/seed/seed-rows.ts.
 */
import type { Address } from "viem";
import { sql } from "@/db/client";
import { listAgents } from "@/lib/agents/list-agents";
import { listAuditEntries } from "@/lib/audit/list-entries";
import type { ContextAccount, SessionContext } from "@/lib/context/context";
import { getEvent } from "@/lib/events/get-event";
import { listEvents } from "@/lib/events/list-events";
import { listKeys } from "@/lib/keys/list-keys";
import { listPaymentRequests } from "@/lib/payment-requests/list-payment-requests";
import { listPayouts } from "@/lib/payouts/list-payouts";
import { listRows } from "@/lib/payouts/list-rows";
import { listRuns, listSchedules } from "@/lib/schedules/list-schedules";
import { getTransfer } from "@/lib/transfers/get-transfer";
import { getOwnHeld } from "@/lib/transfers/held/get-own-held";
import { listDecided } from "@/lib/transfers/held/list-decided";
import { listOwnTransfers } from "@/lib/transfers/list-own-transfers";
import { listAllDeliveries, listDeliveries } from "@/lib/webhooks/list-deliveries";
import { listWebhooks } from "@/lib/webhooks/list-webhooks";
import { BUSY, seedId } from "@/scripts/seed/seed-rows";

/** What a reader is asked for. */
export interface Wanted {
  read: string;
  times: number;
}

const CHAIN = 46630;
const transfers = Number(process.argv[2]);
/** A row of the busy account halfway down: even numbers are its. */
const MIDDLE = Math.floor(transfers / 4) * 2;
const id = <P extends string>(prefix: P, n: number) => seedId(prefix, n) as `${P}${string}`;

const [row] = await sql()<{ address: Address }[]>`
  select '0x' || encode(address, 'hex') as address from accounts where id = ${id("acct_", BUSY)}`;
if (!row) throw new Error("this database was not filled");
const account: ContextAccount = {
  id: id("acct_", BUSY),
  handle: `seed${BUSY}`,
  address: row.address,
  type: "business",
  rootId: id("acct_", BUSY),
  rootAddress: row.address,
  createdAt: new Date(0),
};
const ctx = {
  actor: "session",
  network: "test",
  chainId: CHAIN,
  account,
  requestId: "req_bench",
  clientAddress: null,
} as unknown as SessionContext;

const page = { limit: 20, offset: 0 };
const after = <P extends string>(prefix: P) => ({ ...page, starting_after: id(prefix, MIDDLE) });
const time = { from: new Date(Date.now() - 301 * 86_400_000), to: new Date() };

/** Each returns how many entries it found: what finds none measures nothing. */
const READS: Record<string, () => Promise<number>> = {
  ...Object.fromEntries(
    Object.entries({
      transfers: {},
      "transfers, after the middle": { starting_after: id("tr_", MIDDLE) },
      "transfers, offset 1,000": { offset: 1_000 },
      "transfers by status": { status: "failed" as const },
      "transfers by time": time,
      "transfers sent": { direction: "sent" as const },
      "transfers by key": { key: id("key_", BUSY) },
      "transfers by reference": { reference: `order-${MIDDLE - (MIDDLE % 4)}` },
      "payments alone": { kind: "payment" as const },
    }).map(([name, filter]) => [
      name,
      async () => (await listOwnTransfers(ctx, { ...page, ...filter })).transfers.length,
    ]),
  ),
  "a transfer": async () => ((await getTransfer(ctx, id("tr_", MIDDLE))).row ? 1 : 0),
  events: async () => (await listEvents(ctx, page)).events.length,
  "events, after the middle": async () => (await listEvents(ctx, after("evt_"))).events.length,
  "events by type": async () => (await listEvents(ctx, { ...page, type: ["transfer.confirmed"] })).events.length,
  "an event": async () => ((await getEvent(ctx, id("evt_", MIDDLE))).id ? 1 : 0),
  deliveries: async () => (await listDeliveries(ctx, id("wh_", BUSY), page)).deliveries.length,
  "deliveries that were given up": async () =>
    (await listDeliveries(ctx, id("wh_", BUSY), { ...page, status: "exhausted" })).deliveries.length,
  "deliveries of all webhooks": async () => (await listAllDeliveries(ctx, after("dlv_"))).deliveries.length,
  "audit log": async () => (await listAuditEntries(ctx, page)).entries.length,
  "audit log, after the middle": async () => (await listAuditEntries(ctx, after("aud_"))).entries.length,
  "audit log by action": async () => (await listAuditEntries(ctx, { ...page, action: "agent.paused" })).entries.length,
  "held payments, decided": async () => (await listDecided(ctx, page)).list.length,
  "held payments, rejected": async () => (await listDecided(ctx, { ...page, status: "rejected" })).list.length,
  "a held payment": async () => ((await getOwnHeld(ctx, id("txn_", MIDDLE - (MIDDLE % 4)))) ? 1 : 0),
  "payment requests": async () => (await listPaymentRequests(ctx, page)).requests.length,
  "payment requests by status": async () =>
    (await listPaymentRequests(ctx, { ...page, status: "paid" })).requests.length,
  payouts: async () => (await listPayouts(ctx, { limit: 20 })).list.length,
  "payouts by status": async () => (await listPayouts(ctx, { limit: 20, status: "finished" })).list.length,
  "rows of a payout": async () => (await listRows(ctx, id("po_", 2), { limit: 20 })).list.length,
  schedules: async () => (await listSchedules(ctx, { limit: 20 })).list.length,
  "runs of a schedule": async () => (await listRuns(ctx, id("sch_", 2), { limit: 20 })).list.length,
  "API keys": async () => (await listKeys(ctx)).length,
  agents: async () => (await listAgents(ctx)).length,
  webhooks: async () => (await listWebhooks(ctx)).length,
};

process.on("message", async ({ read, times }: Wanted) => {
  const run = READS[read];
  if (!run) throw new Error(`no read is called ${read}`);
  const took: number[] = [];
  for (let i = 0; i < times; i++) {
    const before = performance.now();
    if ((await run()) === 0) throw new Error(`${read} found nothing`);
    took.push(performance.now() - before);
  }
  process.send?.(took);
});
process.send?.(Object.keys(READS));

import { listBackups } from "@/lib/accounts/backups/list-backups";
import { listExpiringKeys } from "@/lib/accounts/keys/list-expiring-keys";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { listRequests } from "@/lib/accounts/request-log/list-requests";
import { listSharedViews } from "@/lib/accounts/shared-views/list-shared-views";
import { readStaleAgents, readStaleHeld } from "@/lib/agents/account-secret/read-stale";
import { listAgents } from "@/lib/agents/list-agents";
import { listPolicies } from "@/lib/agents/list-policies";
import { listPendingOperations } from "@/lib/chain/operations/list-pending-operations";
import { listAuditEntries } from "@/lib/events/audit/list-entries";
import { listEvents } from "@/lib/events/list-events";
import { getSettings } from "@/lib/events/notifications/get-settings";
import { listLocalMail } from "@/lib/events/notifications/list-local-mail";
import { changesAfter, currentCursor, eventsAfter } from "@/lib/events/stream/read-changes";
import { listAllDeliveries, listDeliveries } from "@/lib/events/webhooks/list-deliveries";
import { listHealth } from "@/lib/events/webhooks/list-health";
import { listWebhooks } from "@/lib/events/webhooks/list-webhooks";
import { listSessions } from "@/lib/http/auth/list-sessions";
import { listConnections } from "@/lib/http/connections/list-connections";
import { listWantedTags } from "@/lib/payments/after-restore/list-wanted-tags";
import { countPending, countPendingByAgent } from "@/lib/payments/approvals/count-pending";
import { listDecided } from "@/lib/payments/approvals/list-decided";
import { listPending } from "@/lib/payments/approvals/list-pending";
import { countOwnTransfers } from "@/lib/payments/count-own-transfers";
import { listOwnTransfers } from "@/lib/payments/list-own-transfers";
import { listSummaries, listTransfers } from "@/lib/payments/list-transfers";
import { listPayouts } from "@/lib/payments/payouts/list-payouts";
import { listRows } from "@/lib/payments/payouts/list-rows";
import { readStalePayouts } from "@/lib/payments/payouts/stale-payouts";
import { listPaymentRequests } from "@/lib/payments/requests/list-payment-requests";
import { countRuns } from "@/lib/payments/schedules/count-runs";
import { listRuns, listSchedules } from "@/lib/payments/schedules/list-schedules";
import type { ListTransfersQuery, TransferKind } from "@/lib/payments/schema";
import { listCounterparties } from "@/lib/payments/search/list-counterparties";
import { BUSY, seedTime } from "@/scripts/seed/seed-rows";
import { CHAIN, ctx, FIRST, id, type Middle, place } from "./seeded";

/** Reads something and returns how many entries it found: a read that finds nothing measures nothing. */
export type Read = () => Promise<number>;
export type Reads = Record<string, Read>;

const DAY = 86_400_000;
const OWNER = { rootId: ctx.account.rootId, chainId: CHAIN } as const;

/** The ten minutes before the row in the middle. */
const aroundTheMiddle = (even: number) => ({ from: seedTime(even - 600), to: seedTime(even) });

/** Lists of transfers by each of their filters. */
function transfers({ even, forty }: Middle): Reads {
  const time = aroundTheMiddle(even);
  const own: Record<string, Partial<ListTransfersQuery>> = {
    transfers: {},
    "transfers, after the middle": { starting_after: id("tr_", even) },
    "transfers, offset 1,000": { offset: 1_000 },
    "transfers by status": { status: "failed" },
    "transfers by time": time,
    "transfers sent": { direction: "sent" },
    "transfers received": { direction: "received" },
    "transfers by asset": { asset: "USDG" },
    "transfers by counterparty": { counterparty: "@seed2" },
    "transfers by key": { key: id("key_", BUSY) },
    "transfers by reference": { reference: `order-${forty}` },
    "refunds of a transfer": { refund_of: id("tr_", forty + 5) },
  };
  for (const kind of [
    "payment",
    "public",
    "refund",
    "move",
    "payment_request",
    "payout",
    "schedule",
  ] as TransferKind[]) {
    own[`transfers of kind ${kind}`] = { kind };
  }
  return Object.fromEntries(
    Object.entries(own).map(([name, filter]) => [
      name,
      async () => (await listOwnTransfers(ctx, { ...FIRST, ...filter })).transfers.length,
    ]),
  );
}

/** The lists of the busy account, as the API and the dashboard read them. */
export function lists(middle: Middle): Reads {
  const after = <P extends string>(prefix: P) => ({ ...FIRST, starting_after: id(prefix, middle.even) });
  const { accounts, even, forty } = middle;
  const bot = id("acct_", accounts + BUSY);
  const time = aroundTheMiddle(even);
  return {
    ...transfers(middle),
    "how many transfers there are": async () => (await countOwnTransfers(ctx, FIRST)).count,
    "transfers with their ciphertexts": async () => (await listTransfers(ctx, FIRST)).transfers.length,
    "transfers of /v1": async () => (await listSummaries(ctx, FIRST)).transfers.length,
    "failed transfers since the middle": async () =>
      (await listTransfers(ctx, { ...FIRST, status: "failed", direction: "sent", from: time.from })).transfers.length,
    counterparties: async () => (await listCounterparties(ctx)).length,
    "payments whose tags are wanted": async () => (await listWantedTags(ctx, { limit: 20 })).list.length,
    events: async () => (await listEvents(ctx, FIRST)).events.length,
    "events, after the middle": async () => (await listEvents(ctx, after("evt_"))).events.length,
    "events since the middle": async () => (await listEvents(ctx, { ...FIRST, after: id("evt_", even) })).events.length,
    "events by type": async () => (await listEvents(ctx, { ...FIRST, type: ["transfer.confirmed"] })).events.length,
    "events by time": async () => (await listEvents(ctx, { ...FIRST, ...time })).events.length,
    requests: async () => (await listRequests(ctx, FIRST, time.to)).rows.length,
    "requests that failed": async () => (await listRequests(ctx, { ...FIRST, outcome: "failed" }, time.to)).rows.length,
    "requests of a key": async () =>
      (await listRequests(ctx, { ...FIRST, key: id("key_", BUSY) }, time.to)).rows.length,
    "stream: its first cursor": async () => (await currentCursor(OWNER)).position + 1,
    "stream: changes": async () => (await changesAfter(OWNER, even)).length,
    "stream: events": async () =>
      (await eventsAfter(OWNER, { position: 0, eventTime: time.to.getTime(), eventId: id("evt_", even) })).events
        .length,
    webhooks: async () => (await listWebhooks(ctx)).length,
    "health of webhooks": async () => (await listHealth(ctx)).length,
    deliveries: async () => (await listDeliveries(ctx, id("wh_", BUSY), FIRST)).deliveries.length,
    "deliveries, after the middle": async () =>
      (await listDeliveries(ctx, id("wh_", BUSY), after("dlv_"))).deliveries.length,
    "deliveries that were given up": async () =>
      (await listDeliveries(ctx, id("wh_", BUSY), { ...FIRST, status: "exhausted" })).deliveries.length,
    "deliveries that wait": async () =>
      (await listDeliveries(ctx, id("wh_", accounts + 1), { ...FIRST, status: "pending" })).deliveries.length,
    "deliveries of an event": async () =>
      (await listDeliveries(ctx, id("wh_", BUSY), { ...FIRST, event_id: id("evt_", even) })).deliveries.length,
    "deliveries by time": async () =>
      (await listDeliveries(ctx, id("wh_", BUSY), { ...FIRST, ...time })).deliveries.length,
    "deliveries of all webhooks": async () => (await listAllDeliveries(ctx, FIRST)).deliveries.length,
    "deliveries of all webhooks, after the middle": async () =>
      (await listAllDeliveries(ctx, after("dlv_"))).deliveries.length,
    "audit log": async () => (await listAuditEntries(ctx, FIRST)).entries.length,
    "audit log of the dashboard": async () =>
      (await listAuditEntries(ctx, { ...FIRST, sign_ins: "hidden" })).entries.length,
    "audit log, after the middle": async () => (await listAuditEntries(ctx, after("aud_"))).entries.length,
    "audit log by action": async () =>
      (await listAuditEntries(ctx, { ...FIRST, action: "agent.paused" })).entries.length,
    "audit log by target": async () => (await listAuditEntries(ctx, { ...FIRST, target: bot })).entries.length,
    "audit log by actor": async () => (await listAuditEntries(ctx, { ...FIRST, actor: "agent" })).entries.length,
    "audit log by time": async () => (await listAuditEntries(ctx, { ...FIRST, ...time })).entries.length,
    "held payments that wait": async () => (await listPending(ctx, FIRST)).list.length,
    "held payments that wait, of an agent": async () => (await listPending(ctx, { ...FIRST, agent: bot })).list.length,
    "held payments that wait, counted": () => countPending(ctx),
    "held payments that wait, counted by agent": async () => (await countPendingByAgent(ctx)).size,
    "held payments, decided": async () => (await listDecided(ctx, FIRST)).list.length,
    "held payments, after the middle": async () =>
      (await listDecided(ctx, { ...FIRST, starting_after: id("txn_", forty) })).list.length,
    "held payments, rejected": async () => (await listDecided(ctx, { ...FIRST, status: "rejected" })).list.length,
    "held payments, of an agent": async () => (await listDecided(ctx, { ...FIRST, agent: bot })).list.length,
    "held payments to encrypt again": async () => (await readStaleHeld(ctx, { limit: 20 })).list.length + 1,
    "payment requests": async () => (await listPaymentRequests(ctx, FIRST)).requests.length,
    "payment requests, after the middle": async () =>
      (await listPaymentRequests(ctx, { ...FIRST, starting_after: id("payreq_", forty) })).requests.length,
    "payment requests by status": async () =>
      (await listPaymentRequests(ctx, { ...FIRST, status: "paid" })).requests.length,
    "payment requests by reference": async () =>
      (await listPaymentRequests(ctx, { ...FIRST, reference: `bill-${forty}` })).requests.length,
    "payment requests by time": async () => (await listPaymentRequests(ctx, { ...FIRST, ...time })).requests.length,
    payouts: async () => (await listPayouts(ctx, { limit: 20 })).list.length,
    "payouts, after the middle": async () =>
      (await listPayouts(ctx, { limit: 20, starting_after: id("po_", Math.floor(accounts / 4) * 2) })).list.length,
    "payouts by status": async () => (await listPayouts(ctx, { limit: 20, status: "finished" })).list.length,
    "payouts to encrypt again": async () => (await readStalePayouts(ctx, { limit: 20 })).list.length + 1,
    "rows of a payout": async () => (await listRows(ctx, id("po_", 2), { limit: 20 })).list.length,
    "rows of a payout by status": async () =>
      (await listRows(ctx, id("po_", 2), { limit: 20, status: "pending" })).list.length,
    schedules: async () => (await listSchedules(ctx, { limit: 20 })).list.length,
    "schedules by status": async () => (await listSchedules(ctx, { limit: 20, status: "active" })).list.length,
    "schedules to encrypt again": async () => (await listSchedules(ctx, { limit: 20, stale: true })).list.length + 1,
    "schedules with a payment that is due": async () =>
      (await listSchedules(ctx, { limit: 20, due: true })).list.length,
    "runs of a schedule": async () => (await listRuns(ctx, id("sch_", 2), { limit: 20 })).list.length,
    "runs that are due or were missed": async () => (await countRuns(ctx, new Date(Date.now() - 7 * DAY))).due,
    "operations under way": async () => (await listPendingOperations(ctx)).length,
    agents: async () => (await listAgents(ctx)).length,
    "policies of agents": async () => (await listPolicies(ctx)).size,
    "agents to encrypt again": async () => (await readStaleAgents(ctx, { limit: 20 })).list.length + 1,
    "API keys": async () => (await listKeys(ctx)).length,
    "API keys that expire": async () => (await listExpiringKeys(ctx, new Date(Date.now() + 14 * DAY))).length,
    connections: async () => (await listConnections(ctx)).length,
    sessions: async () =>
      (await listSessions({ ...ctx, actor: "wallet", address: place(BUSY), sessionId: "bench" })).length,
    backups: async () => (await listBackups(ctx)).length,
    "shared views": async () => (await listSharedViews(ctx)).length,
    "notification settings": async () => (await getSettings(ctx)).devices.length,
    "mail of the local stack": async () => (await listLocalMail(ctx)).length,
  };
}

import type { Facts, SeenEvent } from "./observed-facts";
import { FIRST_LIMITS, type Limits } from "./operations";

/** `ada` of `ada/bot`. */
export const ownerOf = (handle: string) => handle.split("/")[0] ?? "";

/** What a deposit's event, or one of money made available, is about: an account may have several in a transaction. */
export const movementName = (txHash: string, account: string) => `${txHash} of ${account}`;

/** How often each event has to be there, by {@link nameOf}. */
type Wanted = Map<string, number>;

type Named = Pick<SeenEvent, "seenBy" | "type" | "about"> & { direction?: string };

const nameOf = ({ seenBy, type, about, direction }: Named) =>
  [type, direction, "of", about, "at", seenBy].filter(Boolean).join(" ");

function want(wanted: Wanted, event: Named, times = 1): void {
  const name = nameOf(event);
  wanted.set(name, (wanted.get(name) ?? 0) + times);
}

/** What may happen any number of times, with the reason; everything else is counted. */
const UNCOUNTED = new Set([
  // A payout that was interrupted pauses, as often as it is.
  "payout.paused",
  // Years may pass, if a run takes as long.
  "account.payment_key.expiring",
  "account.payment_key.expired",
]);

/** One event for each change: none is missing, none happened twice, and nothing else happened. */
export function eventsHappenedOnce(facts: Facts): string[] {
  const counts: Wanted = new Map();
  for (const event of facts.events) if (!UNCOUNTED.has(event.type)) want(counts, event);
  const wanted: Wanted = new Map();
  for (const expect of [ofTransfers, ofPayments, ofAgents, ofMovements, ofKeys, ofRuns]) expect(facts, wanted);
  const names = new Set([...wanted.keys(), ...counts.keys()]);
  const wrong = [...names].filter((name) => (counts.get(name) ?? 0) !== (wanted.get(name) ?? 0));
  return wrong.map((name) => `${name} happened ${counts.get(name) ?? 0} times, not ${wanted.get(name) ?? 0}`);
}

const bare = (handle: unknown) => String(handle).replace(/^@/, "").toLowerCase();

/** What an event says of a payment, a deposit or money made available is what its lists and the chain show. */
export function eventsSayWhatHappened({ events, transfers }: Facts): string[] {
  const known = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  return events.flatMap(({ id, type, about, seenBy, payload }) => {
    const wrong = (field: string) => [`${id} (${type} of ${about} at ${seenBy}) has another ${field}`];
    const [kind] = type.split(".");
    if (kind === "deposit" || kind === "balance") return payload.asset === "USDG" ? [] : wrong("asset");
    const transfer = known.get(about);
    if (kind !== "transfer" || !transfer) return [];
    const [account, other] = payload.direction === "sent" ? [transfer.from, transfer.to] : [transfer.to, transfer.from];
    if (bare(payload.account) !== bare(account)) return wrong("account");
    if (bare(payload.counterparty) !== bare(other)) return wrong("counterparty");
    if (payload.asset !== transfer.asset) return wrong("asset");
    // A transaction that is sent again with a higher fee has another hash than at first.
    return type === "transfer.confirmed" && payload.tx_hash !== transfer.txHash ? wrong("tx_hash") : [];
  });
}

function ofTransfers({ transfers }: Facts, wanted: Wanted): void {
  const once = new Set<string>();
  for (const { seenBy, id: about, from, to, direction, status } of transfers) {
    for (const type of ["transfer.initiated", status === "failed" ? "transfer.failed" : "transfer.confirmed"]) {
      once.add(nameOf({ seenBy, type, about, direction }));
      // Between an account and its agent: one transfer in the list, and an event for each of them.
      const other = direction === "sent" ? "received" : "sent";
      if (ownerOf(from) === ownerOf(to)) once.add(nameOf({ seenBy, type, about, direction: other }));
    }
  }
  for (const name of once) wanted.set(name, 1);
}

/** Payouts, payments of requests, and payments that awaited approval. */
function ofPayments({ steps, ended, accounts, agents, approvals }: Facts, wanted: Wanted): void {
  for (const { n, operation } of steps) {
    const end = ended.get(n);
    if (!end?.id) continue;
    const about = end.id;
    if (operation.kind === "payout") {
      want(wanted, { seenBy: accounts[operation.from] ?? "", type: "payout.finished", about });
    }
    if (operation.kind === "pay_request") {
      // Its payee's own keys found that it covers what was asked for.
      const seenBy = accounts[operation.to] ?? "";
      for (const type of ["payment_request.payment_received", "payment_request.paid"])
        want(wanted, { seenBy, type, about });
    }
    if (operation.kind !== "agent_pay" || end.outcome !== "awaiting") continue;
    const seenBy = ownerOf(agents[operation.agent] ?? "");
    want(wanted, { seenBy, type: "agent.transaction.pending_approval", about });
    const status = approvals.get(about)?.status;
    if (status !== "pending_approval") want(wanted, { seenBy, type: `agent.transaction.${status}`, about });
  }
}

/** Agents are created once; each pause and resumption is a change, and each policy that is another one. */
function ofAgents({ steps, agents }: Facts, wanted: Wanted): void {
  for (const [n, about] of agents.entries()) {
    const seenBy = ownerOf(about);
    want(wanted, { seenBy, type: "agent.created", about });
    let limits: Limits = FIRST_LIMITS;
    for (const { operation } of steps) {
      if (!("agent" in operation) || operation.agent !== n) continue;
      if (operation.kind === "pause") want(wanted, { seenBy, type: "agent.paused", about });
      if (operation.kind === "resume") want(wanted, { seenBy, type: "agent.resumed", about });
      if (operation.kind !== "policy") continue;
      const { daily, perTransaction, threshold } = operation.limits;
      const same = daily === limits.daily && perTransaction === limits.perTransaction && threshold === limits.threshold;
      if (!same) want(wanted, { seenBy, type: "agent.policy.updated", about });
      limits = operation.limits;
    }
  }
}

/** Deposits and money made available, as the chain counts them. */
function ofMovements({ movements }: Facts, wanted: Wanted): void {
  for (const { account, type, txHash } of movements) {
    want(wanted, { seenBy: ownerOf(account), type, about: movementName(txHash, account) });
  }
}

function ofKeys({ keys }: Facts, wanted: Wanted): void {
  for (const { seenBy, id: about, revoked } of keys) {
    want(wanted, { seenBy, type: "key.created", about });
    if (revoked) want(wanted, { seenBy, type: "key.revoked", about });
  }
}

/** A run that is recorded too late to be paid is missed without having been due. */
function ofRuns({ runs, steps, accounts, events }: Facts, wanted: Wanted): void {
  for (const { step, id: about, status } of runs) {
    const { operation } = steps[step] ?? {};
    const seenBy = operation?.kind === "schedule" ? (accounts[operation.account] ?? "") : "";
    const due = { seenBy, type: "schedule.due", about };
    const wasDue = events.some((event) => nameOf(event) === nameOf(due));
    if (status === "missed" ? wasDue : status !== "planned") want(wanted, due);
    if (status === "paid" || status === "missed") want(wanted, { seenBy, type: `schedule.run_${status}`, about });
  }
}

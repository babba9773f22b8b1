import { dateIn } from "./calendar";
import { deliveriesAreRight, retriesAreOnTime } from "./check-deliveries";
import { eventsHappenedOnce, eventsSayWhatHappened } from "./check-events";
import type { Facts, SeenTransfer } from "./observed-facts";
import type { Operation, PayoutRow, Step } from "./operations";
import { unexpected } from "./perform";

/**
 * Whether a run kept the product's promises, by what the chain and everyone's own keys show.
 *
 * @returns what is wrong, a line each; empty when every promise was kept
 */
export function checkFacts(facts: Facts): string[] {
  return CHECKS.flatMap((check) => check(facts));
}

const CHECKS: readonly ((facts: Facts) => string[])[] = [
  endedAsExpected,
  paidOnce,
  shownByTheChain,
  listedAsLogged,
  timesAreRight,
  moneyAddsUp,
  everyoneHasTheirs,
  limitsHeld,
  decisionsHeld,
  keysAreAsLeft,
  runsArePaid,
  eventsHappenedOnce,
  eventsSayWhatHappened,
  eventsWereDelivered,
  deliveriesAreRight,
  retriesAreOnTime,
  ({ internal }) => internal.map((request) => `the service failed: ${request}`),
  ({ contradictions }) => contradictions.map((heard) => `two processes heard otherwise: ${heard}`),
  ({ leaks }) => leaks.map((leak) => `an amount in clear: ${leak}`),
];

function endedAsExpected({ steps, ended }: Facts): string[] {
  return steps.flatMap((step) => {
    const end = ended.get(step.n);
    if (!end) return [`step ${step.n} (${step.operation.kind}) never ended`];
    return unexpected(step, end) ?? [];
  });
}

/** What a step pays, if it is one that pays. */
interface Payment {
  step: Step;
  amount: bigint;
  from: string;
  to: string;
  /** Of the transfers that clients were given for it. */
  ids: Set<string>;
  /** How often it may be paid: a schedule once for each of its dates. */
  times: number;
  /** It leaves the ledger. */
  isPublic: boolean;
  /** Its transaction has to fail. */
  fails: boolean;
}

function paymentsOf({ steps, ended, accounts, agents, runs }: Facts): Payment[] {
  const payments = new Map<number, Payment[]>();
  for (const step of steps) {
    const { operation } = step;
    const asked = rowsOf(operation);
    if (asked.length > 0) {
      const payable = asked.map(({ to, amount }) => ({
        step,
        amount,
        from: payerOf(operation, accounts, agents),
        to: operation.kind === "withdraw" ? operation.address : (accounts[to] ?? ""),
        isPublic: operation.kind === "withdraw",
        ids: new Set<string>(),
        times: 1,
        fails: operation.kind === "pay_failing",
      }));
      payments.set(step.n, payable);
    }
    const [payment] = payments.get(step.n) ?? [];
    if (operation.kind === "schedule" && payment) {
      const paid = runs.filter((run) => run.step === step.n && run.transfers.length > 0);
      payment.times = new Set(paid.map(({ date }) => date)).size;
      for (const id of paid.flatMap(({ transfers }) => transfers)) payment.ids.add(id);
    }
    const end = ended.get(step.n);
    if (end?.outcome !== "sent" || !end.id) continue;
    const of = operation.kind === "repeat" || operation.kind === "decide" ? operation.of : step.n;
    for (const [row, { ids }] of (payments.get(of) ?? []).entries()) ids.add(end.ids?.[row] ?? end.id);
  }
  return [...payments.values()].flat();
}

function rowsOf(operation: Operation): readonly PayoutRow[] {
  if (operation.kind === "payout") return operation.rows;
  if (operation.kind === "pay_failing" || operation.kind === "withdraw") return [{ to: -1, amount: operation.amount }];
  return "amount" in operation ? [operation] : [];
}

function payerOf(operation: Operation, accounts: readonly string[], agents: readonly string[]): string {
  if (operation.kind === "agent_pay") return agents[operation.agent] ?? "";
  if (operation.kind === "schedule" || operation.kind === "withdraw") return accounts[operation.account] ?? "";
  return "from" in operation ? (accounts[operation.from] ?? "") : "";
}

/** Each payment that was accepted is one transfer, which both sides decrypt to what was asked for; no other is anything. */
function paidOnce(facts: Facts): string[] {
  const wrong: string[] = [];
  const byAmount = new Map<bigint, SeenTransfer[]>();
  for (const seen of facts.transfers) {
    if (seen.amount !== undefined) byAmount.set(seen.amount, [...(byAmount.get(seen.amount) ?? []), seen]);
  }
  const status = new Map(facts.transfers.map((seen) => [seen.id, seen.status]));
  for (const { step, amount, from, to, ids, times, fails, isPublic } of paymentsOf(facts)) {
    const seen = byAmount.get(amount) ?? [];
    const name = `the payment of step ${step.n}`;
    if (ids.size > times) wrong.push(`${name} has several transfers: ${[...ids].join(", ")}`);
    if (fails) {
      const others = [...ids].filter((id) => status.get(id) !== "failed");
      if (others.length > 0) wrong.push(`${name} had to fail, and is not: ${others.join(", ")}`);
      if (seen.some((one) => one.direction === "received" || !ids.has(one.id))) wrong.push(`${name} was received`);
      continue;
    }
    for (const direction of ["sent", "received"] as const) {
      const one = seen.filter((each) => each.direction === direction);
      const wanted = isPublic && direction === "received" ? 0 : ids.size;
      if (one.length !== wanted) {
        wrong.push(`${name} was accepted as ${ids.size} transfers, and ${one.length} were ${direction}`);
      }
      for (const { id, status: now, ...sides } of one) {
        if (!ids.has(id)) wrong.push(`${name} is ${id}, which no client was given`);
        if (now !== "confirmed") wrong.push(`${name} is ${now}: ${id}`);
        if (sides.from !== from || sides.to.toLowerCase() !== to)
          wrong.push(`${name} went from ${sides.from} to ${sides.to}`);
      }
    }
  }
  return wrong;
}

/** What the service calls confirmed, the chain shows; what it calls failed, the chain does not. */
function shownByTheChain({ transfers, onChain }: Facts): string[] {
  return transfers.flatMap(({ id, status, txHash }) => {
    if (status === "pending") return [`${id} is still pending`];
    if ((status === "confirmed") === onChain.has(txHash)) return [];
    return [`${id} is ${status}, and its transaction ${onChain.has(txHash) ? "went through" : "did not go through"}`];
  });
}

/** What the ledger logged as payments of these parties is what their lists show, as often. */
function listedAsLogged({ transfers, logged }: Facts): string[] {
  const listed = new Map<string, Set<string>>();
  for (const { id, status, txHash } of transfers) {
    if (status === "confirmed") listed.set(txHash, (listed.get(txHash) ?? new Set()).add(id));
  }
  return [...new Set([...listed.keys(), ...logged.keys()])].flatMap((hash) => {
    const [onLedger, inLists] = [logged.get(hash) ?? 0, listed.get(hash)?.size ?? 0];
    return onLedger === inLists ? [] : [`${hash} made ${onLedger} payments on the ledger, and ${inLists} are listed`];
  });
}

/** Blocks have whole seconds, and follow each other by one at least: their time may be ahead of the clocks. */
const CLOCKS_DIFFER_MS = 60_000;

/** A payment was accepted in this run, mined after that, and confirmed once it was mined. */
function timesAreRight({ transfers, minedAt, begun, seen }: Facts): string[] {
  return transfers.flatMap(({ id, status, createdAt, confirmedAt, txHash }) => {
    if (status !== "confirmed") return [];
    const mined = minedAt.get(txHash) ?? 0;
    const confirmed = Date.parse(confirmedAt ?? "");
    const order = [begun, Date.parse(createdAt), mined, confirmed, seen];
    const isRight = order.every((time, n) => n === 0 || time >= (order[n - 1] ?? 0) - CLOCKS_DIFFER_MS);
    return isRight ? [] : [`${id} was accepted ${createdAt}, mined ${mined}, and is called confirmed ${confirmedAt}`];
  });
}

/** Each party has what it was given, without what it paid and with what it was paid. */
function everyoneHasTheirs(facts: Facts): string[] {
  const due = new Map(facts.given);
  const add = (who: string, amount: bigint) => due.set(who, (due.get(who) ?? 0n) + amount);
  for (const { amount, from, to, ids, fails, isPublic } of paymentsOf(facts)) {
    if (fails) continue;
    add(from, -amount * BigInt(ids.size));
    if (!isPublic) add(to, amount * BigInt(ids.size));
  }
  return [...due].flatMap(([who, amount]) => {
    const has = facts.balances.get(who) ?? 0n;
    return has === amount ? [] : [`${who} has to have ${amount} millionths, and has ${has}`];
  });
}

function moneyAddsUp({ steps, ended, held, unreadable, ledgerGrew, deposited, withdrawn }: Facts): string[] {
  const wrong: string[] = [];
  let left = deposited;
  for (const { n, operation } of steps) {
    if (operation.kind !== "withdraw") continue;
    const amount = ended.get(n)?.outcome === "sent" ? operation.amount : 0n;
    const came = withdrawn.get(n) ?? 0n;
    if (came !== amount) wrong.push(`step ${n} withdrew ${amount} millionths, and ${came} came`);
    left -= amount;
  }
  if (held !== left) wrong.push(`${left} millionths have to be there, and everyone's own keys show ${held}`);
  if (ledgerGrew !== left) wrong.push(`${left} millionths have to be there, and the ledger grew by ${ledgerGrew}`);
  if (unreadable > 0) wrong.push(`${unreadable} received payments can't be decrypted`);
  return wrong;
}

/** What an agent paid on each day of its zone, by the highest limit that was in force meanwhile, and in each payment. */
function limitsHeld({ transfers, agents, zones, policies }: Facts): string[] {
  const wrong: string[] = [];
  for (const [n, agent] of agents.entries()) {
    const days = new Map<string, { spent: bigint; from: number; until: number }>();
    for (const { id, from, direction, status, amount = 0n, createdAt } of transfers) {
      if (from !== agent || direction !== "sent" || status !== "confirmed") continue;
      const at = Date.parse(createdAt);
      const date = dateIn(zones[n] ?? "UTC", at);
      const day = days.get(date) ?? { spent: 0n, from: at, until: at };
      day.spent += amount;
      days.set(date, { ...day, from: Math.min(day.from, at), until: Math.max(day.until, at) });
      if (amount > highest(policies, agent, at, at + 1, "perTransaction")) {
        wrong.push(`${agent} paid more at once than it may: ${id}`);
      }
    }
    for (const [date, { spent, from, until }] of days) {
      const most = highest(policies, agent, from, until + 1, "daily");
      if (spent > most) wrong.push(`${agent} paid ${spent} millionths on ${date}, with a limit of ${most}`);
    }
  }
  return wrong;
}

function highest(
  policies: Facts["policies"],
  agent: string,
  from: number,
  until: number,
  limit: "daily" | "perTransaction",
): bigint {
  const inForce = policies.filter((one) => one.agent === agent && one.from < until && one.until > from);
  let most = 0n;
  for (const one of inForce) if (one[limit] > most) most = one[limit];
  return most;
}

const DECIDED = { approve: "approved", reject: "rejected", expire: "expired" } as const;

/** What was rejected or has expired stays so; what was approved is so; what no one decided waits until it expires. */
function decisionsHeld({ steps, ended, approvals }: Facts): string[] {
  const meant = new Map<string, string>();
  for (const { n, operation } of steps) {
    const end = ended.get(n);
    if (end?.outcome === "awaiting" && end.id) {
      meant.set(end.id, approvals.get(end.id)?.overdue ? "expired" : "pending_approval");
    }
    if (operation.kind !== "decide" || (end?.outcome !== "done" && end?.outcome !== "sent")) continue;
    const id = ended.get(operation.of)?.id;
    if (id) meant.set(id, DECIDED[operation.decision]);
  }
  const wrong = [...meant].filter(([id, status]) => approvals.get(id)?.status !== status);
  return wrong.map(([id, status]) => `${id} has to be ${status}, and is ${approvals.get(id)?.status ?? "unknown"}`);
}

/** Every key is as its clients left it: what they use works, what they revoked or rotated away does not. */
function keysAreAsLeft({ keys, keysGiven }: Facts): string[] {
  const revoked = new Map(keys.map((key) => [key.id, key.revoked]));
  return [...keysGiven].flatMap(([id, state]) => {
    const is = revoked.get(id);
    if (is === undefined) return [`the API key ${id} is in no list`];
    return is === (state === "revoked")
      ? []
      : [`the API key ${id} has to be ${state}, and is ${is ? "" : "not "}revoked`];
  });
}

/** A date of a schedule is paid when a transfer of it is there, and not otherwise. */
function runsArePaid({ runs, transfers }: Facts): string[] {
  const confirmed = new Set(transfers.filter(({ status }) => status === "confirmed").map(({ id }) => id));
  return runs.flatMap(({ id, status, transfers: of }) => {
    const paid = of.some((transfer) => confirmed.has(transfer));
    return paid === (status === "paid")
      ? []
      : [`the run ${id} is ${status}, and ${paid ? "was paid" : "no one was paid"}`];
  });
}

/** Every event came at its account's endpoint at least once, and nothing else did. */
function eventsWereDelivered({ events, deliveries }: Facts): string[] {
  const key = (seenBy: string, id: string) => `${id} at ${seenBy}`;
  const happened = new Set(events.map(({ seenBy, id }) => key(seenBy, id)));
  const wanted = events.filter(({ early }) => !early).map(({ seenBy, id }) => key(seenBy, id));
  const came = new Set(deliveries.map(({ seenBy, eventId }) => key(seenBy, eventId)));
  return [
    ...wanted.filter((name) => !came.has(name)).map((name) => `never delivered: ${name}`),
    ...[...came].filter((name) => !happened.has(name)).map((name) => `delivered, but no event: ${name}`),
  ];
}

import { createPublicClient, type Hex, http, isAddressEqual, parseAbi } from "viem";
import { chain, filesBelow, tables } from "@/e2e/leaks/places";
import { amountNeedles, type Needle, Scanner } from "@/e2e/leaks/scan";
import { decodeLedgerLog, type LedgerLog } from "@/lib/ledger/ledger-events";
import { isSigned } from "../kill/deliveries";
import type { KillableProduct } from "../kill/product";
import { ownerUrl } from "../stack/postgres";
import { sleep } from "../stack/processes";
import { loadSecrets } from "../stack/secrets";
import { movementName } from "./check-events";
import type {
  Facts,
  PolicyPeriod,
  SeenDelivery,
  SeenEvent,
  SeenKey,
  SeenMovement,
  SeenRetry,
  SeenRun,
  SeenTransfer,
} from "./observed-facts";
import { type Step, secretAmountsOf } from "./operations";
import { type Ended, usdg } from "./perform";
import type { Party, World } from "./world";

const SETTLE_MS = 300_000;
const PAGE = 100;
const micro = (amount: string) => {
  const [whole = "0", part = ""] = amount.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0"));
};
const bare = (handle: string) => handle.replace(/^@/, "");

/** What the ledger's events mean for an account's money; a batch's payments have events of their own. */
const MOVEMENTS: Readonly<Record<string, SeenMovement["type"] | "payment" | undefined>> = {
  Deposited: "deposit.confirmed",
  MadeAvailable: "balance.made_available",
  Transferred: "payment",
  Released: "payment",
  Funded: "payment",
  Paid: "payment",
};

/** The chain as anyone sees it who asks a node. */
export class ChainView {
  private constructor(
    private readonly client: ReturnType<typeof createPublicClient>,
    readonly ledger: Hex,
    private readonly token: Hex,
  ) {}

  /** @param rpcUrl of a node that is asked past all trouble of the run */
  static async of(url: string, rpcUrl: string): Promise<ChainView> {
    const network = (await (await fetch(`${url}/api/network?network=test`)).json()) as {
      ledger: Hex;
      assets: { symbol: string; address: Hex }[];
    };
    const token = network.assets.find(({ symbol }) => symbol === "USDG")?.address;
    if (!token) throw new Error("the service names no USDG");
    return new ChainView(createPublicClient({ transport: http(rpcUrl) }), network.ledger, token);
  }

  /** An address's tokens, the ledger's when left out; in millionths. */
  tokens(of: Hex = this.ledger): Promise<bigint> {
    return this.client.readContract({
      address: this.token,
      abi: parseAbi(["function balanceOf(address) view returns (uint256)"]),
      functionName: "balanceOf",
      args: [of],
    });
  }

  /** The deposits, moves to the available balance and payments of everyone there has been, with their addresses. */
  async movements(): Promise<{ address: Hex; type: SeenMovement["type"] | "payment"; txHash: Hex }[]> {
    const filter = { address: this.ledger, fromBlock: "0x0", toBlock: "latest" } as const;
    const logs = await this.client.request({ method: "eth_getLogs", params: [filter] });
    return logs.flatMap((log) => {
      const event = decodeLedgerLog(log as unknown as LedgerLog);
      const type = event && MOVEMENTS[event.eventName];
      if (!type) return [];
      const { args, transactionHash: txHash } = event;
      return [{ address: "from" in args ? args.from : "account" in args ? args.account : "0x", type, txHash }];
    });
  }

  /** The time of a transaction's block, in milliseconds, if it succeeded as a call of the ledger. */
  async minedAt(hash: Hex): Promise<number | undefined> {
    const receipt = await this.client.getTransactionReceipt({ hash }).catch(() => undefined);
    const ofLedger = receipt?.logs.some(({ address }) => isAddressEqual(address, this.ledger));
    if (receipt?.status !== "success" || !ofLedger) return undefined;
    return Number((await this.client.getBlock({ blockNumber: receipt.blockNumber })).timestamp) * 1_000;
  }
}

export interface Observed {
  product: KillableProduct;
  world: World;
  chainView: ChainView;
  rpcUrl: string;
  /** The ledger's tokens before anyone of this world deposited. */
  tokensBefore: bigint;
  steps: readonly Step[];
  ended: ReadonlyMap<number, Ended>;
  policies: readonly PolicyPeriod[];
}

/** Looks at everything from outside, once nothing is under way any more. */
export async function observe(run: Observed): Promise<Facts> {
  const { world, chainView, steps, ended, policies, tokensBefore } = run;
  const transfers = (await Promise.all(world.accounts.map(settledTransfers))).flat();
  for (const { wallet } of world.accounts) await wallet.paymentRequests.check();
  const minedAt = new Map<string, number>();
  for (const hash of new Set(transfers.map(({ txHash }) => txHash))) {
    const mined = await chainView.minedAt(hash as Hex);
    if (mined !== undefined) minedAt.set(hash, mined);
  }
  const approvals = await approvalsOf(run);
  const { balances, unreadable } = await holdings(world);
  const { movements, logged } = await movementsOf(run);
  const { events, runs } = await settledEvents(run, approvals, movements);
  const retries = (await Promise.all(world.accounts.map(historyOf))).flat();
  const deliveries = await delivered(world, events);
  const history = (await Promise.all(world.accounts.map(historyOf))).flat();
  return {
    steps,
    ended,
    accounts: world.accounts.map(({ handle }) => handle),
    agents: world.agents.map(({ handle }) => handle),
    zones: world.agents.map(({ zone }) => zone),
    transfers,
    onChain: new Set(minedAt.keys()),
    minedAt,
    logged,
    begun: world.begun,
    seen: Date.now(),
    events,
    deliveries,
    retries: retries.filter(({ attempts, next, gaveUp }) => attempts.length > 1 || next !== null || gaveUp),
    history: new Set(history.map(({ seenBy, eventId }) => `${eventId} at ${seenBy}`)),
    approvals,
    policies,
    runs,
    movements,
    keys: (await Promise.all(world.accounts.map(keysOf))).flat(),
    keysGiven: world.keysGiven,
    held: [...balances.values()].reduce((sum, balance) => sum + balance, 0n),
    balances,
    given: world.given,
    unreadable,
    ledgerGrew: (await chainView.tokens()) - tokensBefore,
    deposited: world.deposited,
    withdrawn: await withdrawn(run),
    internal: world.internal,
    contradictions: world.blindCaller.contradictions,
    leaks: await leaksOf(run),
  };
}

/** What a party's wallet decrypts of its own and its agents' transfers, once none is pending or time is up. */
async function settledTransfers({ handle, wallet }: Party): Promise<SeenTransfer[]> {
  for (const end = performance.now() + SETTLE_MS; ; await sleep(500)) {
    const all: SeenTransfer[] = [];
    for await (const one of wallet.transfers.listDecrypted({ limit: PAGE })) {
      all.push({
        id: one.transfer_id,
        seenBy: handle,
        direction: one.direction,
        status: one.status,
        from: bare(one.from),
        to: bare(one.to),
        amount: one.amount === null ? undefined : micro(one.amount),
        asset: one.asset,
        txHash: one.tx_hash,
        createdAt: one.created_at,
        confirmedAt: one.confirmed_at,
      });
    }
    if (performance.now() > end || all.every(({ status }) => status !== "pending")) return all;
  }
}

/** The dates of all schedules that were created, with the transfers that paid them. */
async function runsOf({ world, steps, ended }: Observed): Promise<SeenRun[]> {
  const seen: SeenRun[] = [];
  for (const { n, operation } of steps) {
    const id = ended.get(n)?.id;
    if (operation.kind !== "schedule" || !id) continue;
    const { server } = world.accounts[operation.account] as Party;
    for await (const { run_id } of server.schedules.runs(id)) {
      const { date, status, transfers } = await server.schedules.getRun(id, run_id);
      seen.push({ step: n, id: run_id, date, status, transfers: transfers.map(({ transfer_id }) => transfer_id) });
    }
  }
  return seen;
}

/** What became of every payment that awaited approval; one whose window has passed is closed soon. */
async function approvalsOf({
  world,
  steps,
  ended,
}: Observed): Promise<Map<string, { status: string; overdue: boolean }>> {
  const approvals = new Map<string, { status: string; overdue: boolean }>();
  for (const { n, operation } of steps) {
    const end = ended.get(n);
    if (operation.kind !== "agent_pay" || end?.outcome !== "awaiting" || !end.id) continue;
    const owner = world.agents[operation.agent]?.owner as Party;
    for (const until = performance.now() + SETTLE_MS; ; await sleep(500)) {
      const { status, expires_at } = await owner.server.approvals.get(end.id);
      const overdue = Date.parse(expires_at) <= Date.now();
      approvals.set(end.id, { status, overdue });
      if (!overdue || status !== "pending_approval" || performance.now() > until) break;
    }
  }
  return approvals;
}

/** What came at the addresses that were withdrawn to. */
async function withdrawn({ chainView, steps }: Observed): Promise<Map<number, bigint>> {
  const came = new Map<number, bigint>();
  for (const { n, operation } of steps) {
    if (operation.kind === "withdraw") came.set(n, await chainView.tokens(operation.address));
  }
  return came;
}

async function holdings({ accounts, agents }: World): Promise<{ balances: Map<string, bigint>; unreadable: number }> {
  const balances = new Map<string, bigint>();
  let unreadable = 0;
  for (const party of accounts) {
    const own = agents.filter(({ owner }) => owner === party);
    for (const { handle, agent } of [{ handle: party.handle, agent: undefined }, ...own.map(ofBot)]) {
      // Reads a page of received payments; those before it are gathered in what is available.
      for (;;) {
        const balance = await party.wallet.balances.decrypt({ asset: "USDG", agent });
        if (balance.has_more) {
          await party.wallet.balances.makeAvailable({ agent });
          continue;
        }
        balances.set(handle, micro(balance.total));
        unreadable += balance.unreadable;
        break;
      }
    }
  }
  return { balances, unreadable };
}

const ofBot = ({ handle }: { handle: string }) => ({ handle, agent: "bot" });

/** The movements of these parties, and how many payments of theirs each transaction made. */
async function movementsOf({
  world,
  chainView,
}: Observed): Promise<{ movements: SeenMovement[]; logged: Map<string, number> }> {
  const handles = new Map([...world.accounts, ...world.agents].map((one) => [one.address.toLowerCase(), one.handle]));
  const movements: SeenMovement[] = [];
  const logged = new Map<string, number>();
  for (const { address, type, txHash } of await chainView.movements()) {
    const account = handles.get(address.toLowerCase());
    if (account === undefined) continue;
    if (type === "payment") logged.set(txHash, (logged.get(txHash) ?? 0) + 1);
    else movements.push({ account, type, txHash });
  }
  return { movements, logged };
}

/** Every delivery to an account's endpoint, with its attempts. */
async function historyOf({ handle, server, webhookId }: Party): Promise<SeenRetry[]> {
  const history: SeenRetry[] = [];
  for await (const one of server.webhooks.deliveries(webhookId, { limit: PAGE })) {
    const { event_id, attempts, next_attempt_at, status, error, created_at } = one;
    history.push({
      seenBy: handle,
      eventId: event_id,
      attempts: attempts.map(({ attempted_at, duration_ms }) => {
        const begun = Date.parse(attempted_at);
        return { begun, ended: begun + duration_ms };
      }),
      next: next_attempt_at === null ? null : Date.parse(next_attempt_at),
      gaveUp: status === "exhausted" && !error?.startsWith("endpoint:"),
      queued: Date.parse(created_at),
      seen: Date.now(),
    });
  }
  return history;
}

/** Every key of an account and its agents. */
async function keysOf({ handle, wallet }: Party): Promise<SeenKey[]> {
  const keys: SeenKey[] = [];
  for await (const { key_id: id, revoked_at } of wallet.keys.list()) {
    keys.push({ seenBy: handle, id, revoked: revoked_at !== null });
  }
  return keys;
}

/**
 * Everyone's events, and the runs of schedules as of then. What follows the clock or the chain has its event once the
 * worker has noticed: waits for one for each approval that expired and each movement.
 */
async function settledEvents(
  run: Observed,
  approvals: ReadonlyMap<string, { status: string }>,
  movements: readonly SeenMovement[],
): Promise<{ events: SeenEvent[]; runs: SeenRun[] }> {
  const { accounts } = run.world;
  const expired = [...approvals].filter(([, { status }]) => status === "expired").map(([id]) => id);
  const awaited = [
    ...expired.map((id) => `agent.transaction.expired ${id}`),
    ...movements.map(({ type, txHash, account }) => `${type} ${movementName(txHash, account)}`),
  ];
  for (const end = performance.now() + SETTLE_MS; ; await sleep(500)) {
    const before = await runsOf(run);
    const events = (await Promise.all(accounts.map(eventsOf))).flat();
    const runs = await runsOf(run);
    const announced = new Set(events.map(({ type, about }) => `${type} ${about}`));
    const isSettled = JSON.stringify(before) === JSON.stringify(runs) && awaited.every((name) => announced.has(name));
    if (isSettled || performance.now() > end) return { events, runs };
  }
}

async function eventsOf({ handle, server, hookSince }: Party): Promise<SeenEvent[]> {
  const events: SeenEvent[] = [];
  for await (const event of server.events.list({ limit: PAGE })) {
    const fields = event as unknown as Partial<Record<string, string>>;
    events.push({
      seenBy: handle,
      id: event.event_id,
      type: event.event,
      about: aboutOf(event.event, bare(event.account), fields),
      direction: fields.direction ?? "",
      early: Date.parse(event.timestamp) <= hookSince,
      payload: { ...event },
    });
  }
  return events;
}

function aboutOf(type: string, account: string, fields: Partial<Record<string, string>>): string {
  const [kind = ""] = type.split(".");
  if (kind === "agent") return fields.transaction_id ?? account;
  if (kind === "deposit" || kind === "balance") return movementName(fields.tx_hash ?? "", account);
  const { payout_id, run_id, key_id, payment_request_id, transfer_id } = fields;
  return payout_id ?? run_id ?? key_id ?? transfer_id ?? payment_request_id ?? account;
}

async function redeliver({ server, webhookId }: Party): Promise<void> {
  while ((await server.webhooks.redeliver(webhookId, { since: new Date(0) })).has_more);
}

/** What the endpoints got, once they got every event or time is up. */
async function delivered({ accounts, accepted }: World, events: readonly SeenEvent[]): Promise<SeenDelivery[]> {
  for (const end = performance.now() + SETTLE_MS; ; await sleep(500)) {
    // What an endpoint refused comes again at once, if someone asks for it.
    for (const party of accounts) await redeliver(party);
    const got = accounts.flatMap(({ handle: seenBy, hook, secrets }) =>
      accepted
        .filter((one) => one.path === hook)
        .map((one): SeenDelivery => {
          const payload = JSON.parse(one.body) as Record<string, unknown>;
          return { seenBy, eventId: String(payload.event_id), payload, signed: isSigned(one, secrets) };
        }),
    );
    const came = new Set(got.map(({ seenBy, eventId }) => `${seenBy} ${eventId}`));
    if (performance.now() > end || events.every(({ seenBy, id, early }) => early || came.has(`${seenBy} ${id}`)))
      return got;
  }
}

/** Forms of an amount that chance does not make; raw bytes show as hex in the rows of tables and on the chain. */
function needlesOf(step: number, amount: bigint): Needle[] {
  return amountNeedles(`the amount of step ${step}`, usdg(amount), 6).filter(({ bytes }) => bytes.length >= 10);
}

/** Looks for every amount in every form: in the database, its files and all logs, on the chain, in what was delivered. */
export async function leaksOf({
  product,
  world,
  rpcUrl,
  steps,
}: Pick<Observed, "product" | "world" | "rpcUrl" | "steps">): Promise<string[]> {
  const needles = steps.flatMap(({ n, operation }) =>
    secretAmountsOf(operation).flatMap((amount) => needlesOf(n, amount)),
  );
  const scanner = new Scanner(needles);
  const { env, data } = product;
  const url = ownerUrl(loadSecrets(data).postgresPassword, Number(env.HALCYON_PG_PORT));
  const leaks = world.receiver.received.flatMap(({ body, path: at }) => scanner.scan(`delivery to ${at}`, body));
  leaks.push(...scanner.scan("the proxies' words", world.proxies.said));
  for await (const { name, content } of tables(url)) leaks.push(...scanner.scan(name, content));
  for (const { name, content } of await chain(rpcUrl)) leaks.push(...scanner.scan(name, content));
  for (const { name, content } of filesBelow(data)) {
    // What clients keep for themselves is theirs.
    if (!name.startsWith("clients/")) leaks.push(...scanner.scan(name, content));
  }
  return leaks.map(({ needle, place, offset }) => `${needle} in ${place} at ${offset}`);
}

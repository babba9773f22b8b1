import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { and, eq, inArray } from "drizzle-orm";
import { type Address, createTestClient, http, isAddressEqual, numberToHex, zeroAddress } from "viem";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { spendPolicies } from "@/db/schema/agents";
import { operations } from "@/db/schema/chain";
import { chainCursors } from "@/db/schema/ledger";
import { env } from "@/lib/base/env";
import { formatAmount } from "@/lib/base/money";
import { publicClient } from "@/lib/chain/clients";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { decodeLedgerLog, type LedgerEvent, type LedgerLog } from "@/lib/ledger/ledger-events";
import { createTransfer } from "@/lib/payments/create-transfer";
import { Call } from "@/sdk/api/call";
import type { Context } from "@/sdk/context/context";
import { paymentKeyUntilFrom } from "@/sdk/context/vault/vault";
import { HalcyonClient } from "@/sdk/halcyon-client";
import { deposit } from "@/sdk/payments/funding/deposit";
import { payByWallet } from "@/sdk/payments/payouts/pay-by-wallet";
import { acceptByWallet } from "@/sdk/payments/payouts/payouts-by-wallet";
import { Agent } from "@/test/accounts/agent";
import { createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { poisonCall } from "@/test/attacks/poison";
import { chainHistory } from "@/test/chain/chain-history";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { clientOf, keyClientOf, type Meddle, MemoryPins } from "@/test/services/in-process-service";
import { openMppShop, openShop } from "@/test/x402/shop";
import { AMOUNT, EVER } from "./client-action";

export const CHAIN = 46630;
const GWEI = 1_000_000_000n;

/** Waits a fiftieth of each pause, and not long: a client to whom a lie leaves nothing to see. */
class Hurried extends Call {
  override pause(ms: number): Promise<void> {
    return super.pause(ms / 50);
  }
}

let runs: string | undefined;

/** Returns a folder for those of command lines, which is removed at the end. */
function folderOfRuns(): string {
  if (runs) return runs;
  const folder = mkdtempSync(path.join(tmpdir(), "halcyon-lies-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  runs = folder;
  return folder;
}

/** How long a client waits until something is final, in milliseconds: with an honest service, and with one that lies. */
export const WAIT_MS = { honest: 60_000, lying: 10_000 } as const;

/** An owner with money of both assets, an agent, a payee that has paid the owner, and what they can report. */
export class World {
  readonly pins = new MemoryPins();
  /** When all that this world makes expires: the same in each run, so that a lie about it is seen, and nothing else. */
  readonly expires = new Date(Date.now() + 30 * 86_400_000);
  /** How long its clients wait until something is final, in milliseconds. */
  waitTimeout: number = WAIT_MS.honest;
  private readonly isFirstSight: boolean = false;
  private keys: Promise<Record<string, string>> | undefined;
  private readonly blindKeys = new Map<Owner | Agent, ReturnType<typeof createBlindKey>>();
  /** An agent that pays by itself, and asks for what is above 1 USDG. */
  private blindAgent: Promise<Agent> | undefined;
  private blindAgentAddress: Address | undefined;
  private identity: Promise<unknown> | undefined;
  private shopping: Promise<{ x402: string; mpp: string }> | undefined;
  /** The agent of the owner that was enrolled last. */
  private created: Address | undefined;
  /** Agents of the owner besides `agent`, in the order of their creation. */
  private readonly spare: Address[] = [];

  private constructor(
    readonly owner: Owner,
    readonly payee: Owner,
    readonly agent: Agent,
    /** A payment of 50 USDG that the owner received. */
    readonly received: string,
  ) {}

  static async create(): Promise<World> {
    const [owner, payee] = await Promise.all([Owner.funded(CHAIN, 200_000_000n), Owner.funded(CHAIN, 100_000_000n)]);
    const { agent, operationId } = await Agent.create(owner, { hitlThreshold: 0n });
    // Half of it is left in the wallet, for deposits.
    await settled(operationId, await owner.mint("200"));
    const transport = http(env().chains.test.rpcUrl);
    const test = createTestClient({ mode: "anvil", transport });
    await test.setBalance({ address: owner.address, value: 10n ** 20n });
    const make = (of: Owner) => clientOf(of.walletKey, env().chains.test.rpcUrl);
    const [context, paying] = await Promise.all([make(owner), make(payee)]);
    await deposit(context, await context.asset("ETH"), 20n * GWEI);
    const client = new HalcyonClient(context);
    await client.balances.makeAvailable({ asset: "ETH" });
    await client.transfers.create({ to: `@${agent.account.handle}`, amount: "50", clientSigned: true });
    await settled(await owner.deposit(100_000_000n));
    const sent = await new HalcyonClient(paying).transfers.create({
      to: owner.address,
      amount: "50",
      clientSigned: true,
    });
    const world = new World(owner, payee, agent, ("transfer_id" in sent && sent.transfer_id) || "");
    await world.quiet();
    await (await world.client()).statements.create(EVER);
    return world;
  }

  /** Returns a client of the owner on a machine that has read its statement before, with a service that may lie. */
  async client(meddle?: Meddle, of: Owner = this.owner): Promise<HalcyonClient> {
    return new HalcyonClient(await this.context(meddle, of));
  }

  /** Like {@link client}, its context. */
  context(meddle?: Meddle, of: Owner = this.owner): Promise<Context> {
    return clientOf(of.walletKey, env().chains.test.rpcUrl, { ...this.settings(meddle), relayPatience: 1 });
  }

  /** Returns a client that has a blind key with its home key, of the owner unless said otherwise, and no wallet. */
  async homeClient(meddle?: Meddle, of: Owner | Agent = this.owner): Promise<HalcyonClient> {
    return new HalcyonClient(await this.homeContext(meddle, of));
  }

  /** Like {@link homeClient}, its context. */
  async homeContext(meddle?: Meddle, of: Owner | Agent = this.owner): Promise<Context> {
    const key = this.blindKeys.get(of) ?? createBlindKey(of);
    this.blindKeys.set(of, key);
    return keyClientOf(await key, env().chains.test.rpcUrl, this.settings(meddle));
  }

  /** Returns the agent that pays with a blind key. */
  agentAtHome(): Promise<Agent> {
    this.blindAgent ??= (async () => {
      const policy = { hitlThreshold: 1_000_000n };
      const { agent, operationId } = await Agent.create(this.owner, policy, randomBytes(12).toString("hex"));
      await settled(operationId);
      const to = `@${agent.account.handle}`;
      await (await this.client()).transfers.create({ to, amount: "5", clientSigned: true });
      await this.quiet();
      this.blindAgentAddress = agent.address;
      return agent;
    })();
    return this.blindAgent;
  }

  private settings(meddle?: Meddle) {
    const pins = new MemoryPins();
    if (!this.isFirstSight) for (const [place, value] of this.pins.kept) pins.kept.set(place, value);
    const call = new Hurried({ maxRetries: 0, timeout: 20_000, waitTimeout: this.waitTimeout });
    return { meddle, pins: meddle ? pins : this.pins, call };
  }

  /** Returns this world on a machine that sees the service for the first time. */
  atFirstSight(): World {
    return Object.assign(Object.create(this) as World, { isFirstSight: true });
  }

  /** Returns the environment of a command line: the wallet's key, or a viewing key and an API key that only reads. */
  async commandLine(byWallet: boolean): Promise<Record<string, string>> {
    // What a lie had it pin is no later run's.
    const folder = mkdtempSync(path.join(folderOfRuns(), "run-"));
    const common = { HALCYON_CONFIG_DIR: folder, HALCYON_RPC_URL: env().chains.test.rpcUrl };
    if (byWallet) return { ...common, HALCYON_WALLET_KEY: this.owner.walletKey };
    this.keys ??= this.client().then(async (client) => ({
      HALCYON_API_KEY: (await client.keys.create({ label: "reads", scopes: ["read"] })).api_key,
      HALCYON_VIEWING_KEY: (await client.viewingKeys.export()).viewing_key,
    }));
    return { ...common, ...(await this.keys) };
  }

  /** Has the owner's identity verified, without which the service states no balances. */
  async verified(): Promise<string> {
    this.identity ??= this.client().then((client) => client.account.verifyIdentity());
    await this.identity;
    return "";
  }

  /** Returns the shops where the payee sells. */
  shops(): Promise<{ x402: string; mpp: string }> {
    this.shopping ??= this.context(undefined, this.payee).then(async (seller) => {
      const [x402, mpp] = await Promise.all([
        openShop(seller, this.payee.address),
        openMppShop(seller, this.payee.address),
      ]);
      return { x402: x402.url, mpp: mpp.url };
    });
    return this.shopping;
  }

  /** Registers another agent. */
  async spareAgent({ withMoney = false } = {}): Promise<{ handle: string }> {
    const { agent, operationId } = await Agent.create(this.owner, {}, randomBytes(12).toString("hex"));
    await settled(operationId);
    this.spare.push(agent.address);
    const handle = `@${agent.account.handle}`;
    if (withMoney) await (await this.client()).transfers.create({ to: handle, amount: AMOUNT, clientSigned: true });
    await this.quiet();
    return { handle };
  }

  /** Makes a payment that the owner cannot decrypt any more, so that the balance is lost. Returns the loss as JSON. */
  async loseBalance(): Promise<string> {
    const client = await this.client();
    // What a lie before kept from being given up.
    if (await client.security.balanceLoss()) await client.security.abandonBalance();
    await this.quiet();
    await client.limits.clear();
    await client.security.setGuard(false);
    await client.balances.makeAvailable({ amount: "0.02" });
    await this.quiet();
    const { privateKey } = derivePaymentKey(this.owner.authority, this.owner.scope);
    await sendFromFaucet(CHAIN, await poisonCall(this.owner, this.payee, privateKey));
    await this.quiet();
    return JSON.stringify(await client.security.balanceLoss());
  }

  /** Waits until the ledger's end of the payment key is not what a renewal would make it: it counts seconds. */
  async renewable(): Promise<string> {
    const chain = await (await this.context()).chain();
    const { until } = await chain.account(this.owner.address);
    while (paymentKeyUntilFrom() <= until) await new Promise((resolve) => setTimeout(resolve, 20));
    return "";
  }

  /** Asks for a payment. Returns the request's id. */
  async request(): Promise<string> {
    const { paymentRequests } = await this.client();
    return (await paymentRequests.create({ amount: "3", note: "lunch", expires: this.expires })).payment_request_id;
  }

  /** Has the payee ask for a payment of so much. Returns the link. */
  async requestOfPayee(amount = AMOUNT, note?: string): Promise<string> {
    const { paymentRequests } = await this.client(undefined, this.payee);
    return (await paymentRequests.create({ amount, note, expires: this.expires })).link;
  }

  /** Asks for a payment that the payee then makes. */
  async paidRequest(): Promise<string> {
    const [client, payer] = [await this.client(), await this.client(undefined, this.payee)];
    const { link, payment_request_id } = await client.paymentRequests.create({ amount: AMOUNT, expires: this.expires });
    await payer.paymentRequests.pay(link);
    await this.quiet();
    return payment_request_id;
  }

  /** Creates a request that the payee has paid, and checks the payment. Returns its id. */
  async coveredRequest(): Promise<string> {
    const id = await this.paidRequest();
    await (await this.client()).paymentRequests.check({ id });
    return id;
  }

  /** Pays the payee, who refunds it. Returns the refund. */
  async refundReceived(): Promise<string> {
    const [client, payee] = [await this.client(), await this.client(undefined, this.payee)];
    const paid = await client.transfers.create({ to: this.payee.address, amount: AMOUNT, clientSigned: true });
    const id = ("transfer_id" in paid && paid.transfer_id) || "";
    const refund = await payee.transfers.refund(id, { clientSigned: true });
    await this.quiet();
    return ("transfer_id" in refund && refund.transfer_id) || "";
  }

  /** Shares a view of the owner's payments. Returns its link. */
  async sharedView(): Promise<string> {
    return (await (await this.client()).sharedViews.create({ ...EVER, label: "Accountant", expires: this.expires }))
      .url;
  }

  /** Creates a schedule. */
  async schedule(): Promise<string> {
    const rule = { frequency: "daily", start: "2099-01-01" } as const;
    const payments = [{ to: this.payee.address, amount: "25" }];
    return (await (await this.client()).schedules.create({ rule, payments })).schedule_id;
  }

  /** Pays a payout of two rows. */
  async payout(): Promise<string> {
    const context = await this.context();
    const rows = [AMOUNT, "0.02"].map((amount) => ({ to: this.payee.address, amount }));
    const { payout_id } = await acceptByWallet(context, rows);
    await payByWallet(context, payout_id);
    await this.quiet();
    return payout_id;
  }

  /** Lets the agent ask for a payment of 0.01 USDG, which waits for the owner's approval. */
  async held(): Promise<string> {
    const to = `@${this.payee.account.handle}`;
    const asked = { to, amount: "0.01", asset: "USDG" as const, confidential: true };
    const created = await createTransfer(await this.agent.key(), asked);
    if (created.outcome !== "held") throw new Error("this payment was not held");
    return created.held.id;
  }

  /** Waits until nothing is under way and the service has read every block. */
  async quiet(): Promise<void> {
    const parties = [this.owner, this.payee, this.agent].map(({ address }) => address);
    const pending = and(inArray(operations.account, parties), eq(operations.status, "pending"));
    const rows = await db().select({ id: operations.id }).from(operations).where(pending);
    await settled(...rows.map(({ id }) => id));
    const newest = await publicClient(CHAIN).getBlockNumber();
    for (;;) {
      const [cursor] = await db().select().from(chainCursors).where(eq(chainCursors.chainId, CHAIN));
      if (cursor && cursor.blockNumber >= newest) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Returns the next block. What moves from now on is in it, or later. */
  async nextBlock(): Promise<bigint> {
    return (await publicClient(CHAIN).getBlockNumber()) + 1n;
  }

  /** Returns what the owner and its agents have moved and set since a block, as the chain shows it. */
  async moved(since: bigint): Promise<{ moves: string[]; hashes: string[] }> {
    const newest = await publicClient(CHAIN).getBlockNumber();
    const { scope, viewing } = this.owner;
    const out: string[] = [];
    const hashes: string[] = [];
    const last = this.spare.at(-1);
    const known = [this.owner.address, this.agent.address, this.blindAgentAddress, last];
    for (const address of known.filter((one) => one !== undefined)) {
      // All of it: what a move between owner and agent moved is the difference of two limits.
      const { entries } = await chainHistory(CHAIN, { address, scope, viewing });
      for (const { type, amount, asset, counterparty, transactionHash, blockNumber } of entries) {
        if (blockNumber < since) continue;
        hashes.push(transactionHash);
        if (type === "received" || type === "funded_in") continue;
        const isCoin = asset === zeroAddress;
        const hasSum = type !== "make_available" && type !== "abandoned";
        const sum = hasSum ? ` ${amount === null ? "?" : formatAmount(amount, isCoin ? 9 : 6)}` : "";
        out.push(
          `${this.nameOf(address)} ${type}${sum} ${isCoin ? "ETH" : "USDG"}${counterparty ? ` to ${this.nameOf(counterparty)}` : ""}`,
        );
      }
    }
    const set = await this.setSince(since, newest);
    hashes.push(...set.map(({ hash }) => hash));
    // A wallet may set what the service has set for it just before: it is the same.
    return { moves: [...out, ...new Set(set.map(({ text }) => text))], hashes };
  }

  /** Returns who may pay what since a block, as the chain shows it. */
  private async setSince(since: bigint, newest: bigint): Promise<{ text: string; hash: string }[]> {
    const { ledger } = this.owner.scope;
    const query = { address: ledger, fromBlock: numberToHex(since), toBlock: numberToHex(newest) };
    const logs = since > newest ? [] : await publicClient(CHAIN).request({ method: "eth_getLogs", params: [query] });
    const own = new Set([this.owner.address, this.agent.address, ...this.spare].map((one) => one.toLowerCase()));
    const found: { text: string; hash: string }[] = [];
    for (const log of logs) {
      const event = decodeLedgerLog(log as LedgerLog);
      if (event?.eventName === "AgentEnrolled" && this.isOwner(event.args.owner)) {
        this.created = event.args.agent;
        own.add(event.args.agent.toLowerCase());
      }
      const said = event && (await this.settingOf(event));
      if (said && own.has(said.account.toLowerCase())) {
        found.push({ text: `${this.nameOf(said.account)} ${said.text}`, hash: log.transactionHash ?? "" });
      }
    }
    return found;
  }

  private async settingOf({ eventName, args }: LedgerEvent): Promise<{ account: Address; text: string } | undefined> {
    switch (eventName) {
      case "PolicySet":
        return { account: args.account, text: `policy ${args.limited ? await policyText(args.account) : "none"}` };
      case "Guarded":
        return { account: args.account, text: `guarded ${args.guarded}` };
      case "AgentEnrolled":
        return { account: args.agent, text: "enrolled" };
      case "AgentSignerSet":
        return { account: args.agent, text: `signer ${isAddressEqual(args.signer, zeroAddress) ? "none" : "new"}` };
      case "PaymentKeySet": {
        const same = derivePaymentKey(this.owner.authority, this.owner.scope).address;
        return {
          account: args.account,
          text: `payment key ${isAddressEqual(args.paymentKey, same) ? "the same" : "another"}`,
        };
      }
      default:
        return undefined;
    }
  }

  private isOwner(address: Address): boolean {
    return isAddressEqual(address, this.owner.address);
  }

  /** Returns whose address this is, after reading which agents were enrolled last. */
  async nameNow(address: Address, since = 0n): Promise<string> {
    await this.setSince(since, await publicClient(CHAIN).getBlockNumber());
    return this.nameOf(address);
  }

  /** Returns whose signer this is on the ledger: that of the newest other agent, or the address. */
  async signerOf(signer: Address): Promise<string> {
    const agent = this.spare.at(-1);
    if (!agent) return signer;
    const { signer: now } = await (await (await this.context()).chain()).account(agent);
    return isAddressEqual(now, signer) ? "the agent's signer" : signer;
  }

  /** Returns the addresses of the three accounts. */
  addresses(): Address[] {
    return [this.owner, this.payee, this.agent].map(({ address }) => address);
  }

  /** Returns who has an address: one of the three accounts, or the newest other agent. */
  nameOf(address: Address): string {
    const spare = this.spare.at(-1);
    const { owner, payee, agent, blindAgentAddress: blind } = this;
    const named = { owner: owner.address, payee: payee.address, agent: agent.address, "blind agent": blind, spare };
    const found = Object.entries({ ...named, "new agent": this.created }).find(([, one]) => {
      return one?.toLowerCase() === address.toLowerCase();
    });
    return found?.[0] ?? address.toLowerCase();
  }
}

/** Returns what the stored policy of an account is, in words. The service accepts none that the ledger does not have. */
async function policyText(holder: Address): Promise<string> {
  const [row] = await db()
    .select({ policy: spendPolicies })
    .from(spendPolicies)
    .innerJoin(accounts, eq(accounts.id, spendPolicies.holderId))
    .where(eq(accounts.address, holder.toLowerCase() as Address));
  if (!row) return "that the service does not have";
  const { dailyLimit, perTransactionLimit, hitlThreshold, allowedRecipients } = row.policy;
  const [daily, each, above] = [dailyLimit, perTransactionLimit, hitlThreshold].map((units) => formatAmount(units, 6));
  return `daily ${daily}, each ${each}, approval above ${above}, to ${allowedRecipients.join(" ")}`;
}

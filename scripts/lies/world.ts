import { and, eq, inArray } from "drizzle-orm";
import { type Address, createTestClient, http, zeroAddress } from "viem";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { chainCursors } from "@/db/schema/ledger";
import { env } from "@/lib/base/env";
import { formatAmount } from "@/lib/base/money";
import { publicClient } from "@/lib/chain/clients";
import { foldHistory } from "@/lib/ledger/history/fold-history";
import { createTransfer } from "@/lib/payments/create-transfer";
import { Call } from "@/sdk/api/call";
import { moneyEvents } from "@/sdk/chain/ledger-events";
import { HalcyonClient } from "@/sdk/halcyon-client";
import { deposit } from "@/sdk/payments/funding/deposit";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, type Meddle, MemoryPins } from "@/test/services/in-process-service";

export const CHAIN = 46630;
const GWEI = 1_000_000_000n;

/** Waits a fiftieth of each pause, and not long: a client to whom a lie leaves nothing to see. */
class Hurried extends Call {
  override pause(ms: number): Promise<void> {
    return super.pause(ms / 50);
  }
}

/** An owner with money of both assets, an agent, a payee that has paid the owner, and what they can report. */
export class World {
  readonly pins = new MemoryPins();

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
    await settled(operationId, await owner.mint("100"));
    const transport = http(env().chains.test.rpcUrl);
    const test = createTestClient({ mode: "anvil", transport });
    await test.setBalance({ address: owner.address, value: 10n ** 20n });
    const make = (of: Owner) => clientOf(of.walletKey, env().chains.test.rpcUrl);
    const [context, paying] = await Promise.all([make(owner), make(payee)]);
    await deposit(context, await context.asset("ETH"), 20n * GWEI);
    const client = new HalcyonClient(context);
    await client.balances.makeAvailable({ asset: "ETH" });
    await client.transfers.create({ to: `@${agent.account.handle}`, amount: "50", prepared: true });
    await settled(await owner.deposit(100_000_000n));
    const sent = await new HalcyonClient(paying).transfers.create({ to: owner.address, amount: "50", prepared: true });
    const world = new World(owner, payee, agent, ("transfer_id" in sent && sent.transfer_id) || "");
    await world.quiet();
    await (await world.client()).statements.create({ from: "2020-01-01", to: "2100-01-01", timeZone: "UTC" });
    return world;
  }

  /** Returns a client of the owner on a machine that has read its statement before, with a service that may lie. */
  async client(meddle?: Meddle, of: Owner = this.owner): Promise<HalcyonClient> {
    const pins = new MemoryPins();
    for (const [place, value] of this.pins.kept) pins.kept.set(place, value);
    const call = new Hurried({ maxRetries: 0, timeout: 20_000, waitTimeout: 10_000 });
    const settings = { meddle, pins: meddle ? pins : this.pins, call, relayPatience: 1 };
    return new HalcyonClient(await clientOf(of.walletKey, env().chains.test.rpcUrl, settings));
  }

  /** Sets the environment of command lines: a viewing key of the owner, and an API key that only reads. */
  async enterCommandLine(): Promise<string> {
    if (process.env.HALCYON_VIEWING_KEY) return "";
    const client = await this.client();
    process.env.HALCYON_API_KEY = (await client.keys.create({ label: "reads", scopes: ["read"] })).api_key;
    process.env.HALCYON_VIEWING_KEY = (await client.viewingKeys.export()).viewing_key;
    process.env.HALCYON_RPC_URL = env().chains.test.rpcUrl;
    return "";
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

  /** Returns what has moved from the owner and the agent since a block, as the chain shows it. */
  async moved(since: bigint): Promise<{ moves: string[]; hashes: string[] }> {
    const chain = publicClient(CHAIN);
    const newest = await chain.getBlockNumber();
    const { scope, viewing } = this.owner;
    const out: string[] = [];
    const hashes: string[] = [];
    for (const { address } of [this.owner, this.agent]) {
      // All of it: what a move between owner and agent moved is the difference of two limits.
      const events = await moneyEvents(chain, scope.ledger, address, 0n, newest);
      const { entries } = await foldHistory(scope, address, viewing.secret, events);
      for (const { type, amount, asset, counterparty, transactionHash, blockNumber } of entries) {
        if (blockNumber < since) continue;
        hashes.push(transactionHash);
        if (type === "received" || type === "funded_in") continue;
        const isCoin = asset === zeroAddress;
        const sum = type === "allocation" ? "" : ` ${amount === null ? "?" : formatAmount(amount, isCoin ? 9 : 6)}`;
        out.push(
          `${this.nameOf(address)} ${type}${sum} ${isCoin ? "ETH" : "USDG"}${counterparty ? ` to ${this.nameOf(counterparty)}` : ""}`,
        );
      }
    }
    return { moves: out, hashes };
  }

  /** Returns the addresses of the three accounts. */
  addresses(): Address[] {
    return [this.owner, this.payee, this.agent].map(({ address }) => address);
  }

  private nameOf(address: Address): string {
    const named = { owner: this.owner, payee: this.payee, agent: this.agent };
    const found = Object.entries(named).find(([, one]) => one.address === address.toLowerCase());
    return found?.[0] ?? address.toLowerCase();
  }
}

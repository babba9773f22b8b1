import { type Address, createPublicClient, type Hex, type PublicClient } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { Call } from "../api/call";
import { HalcyonError } from "../api/errors";
import { rpcTransport } from "./rpc-transport";

/** An account's record on the ledger. A viewing key of zeros: not enrolled. */
export interface AccountRecord {
  viewingKey: Hex;
  spender: Address;
  spenderUntil: bigint;
  owner: Address;
  nonce: bigint;
  /** Block of its enrolment: no event of the account, nor of an agent of its, is older. */
  enrolledBlock: bigint;
}

const NO_KEY = `0x${"00".repeat(32)}`;
/**
 * How long what this client signs may wait for a block, unless an option says otherwise: what did not happen is known soon.
 */
export const EXPIRY_SECONDS = 300;
/** The ledger's own bound of 24 h, less some minutes for clocks that differ. */
export const LONGEST_EXPIRY_SECONDS = 86_000;

/** A ledger as its chain shows it: what a service could lie about is read here. */
export class Chain {
  readonly client: PublicClient;

  constructor(
    readonly rpcUrl: string,
    readonly ledger: Address,
    private readonly expirySeconds = EXPIRY_SECONDS,
    private readonly call = new Call(),
  ) {
    const transport = rpcTransport(rpcUrl, call);
    this.client = createPublicClient({ transport, cacheTime: 0, pollingInterval: 100 }) as PublicClient;
  }

  private get contract() {
    return { address: this.ledger, abi: ledgerAbi } as const;
  }

  /** Chain id and domain salt, as keys and signatures are bound to them. Throws when no ledger is there. */
  async scope(): Promise<Scope> {
    const [chainId, domainSalt] = await Promise.all([
      this.client.getChainId(),
      this.client.readContract({ ...this.contract, functionName: "domainSalt" }),
    ]);
    return { chainId, ledger: this.ledger, domainSalt };
  }

  async account(who: Address): Promise<AccountRecord> {
    const [viewingKey, spender, spenderUntil, owner, nonce, enrolledBlock] = await this.client.readContract({
      ...this.contract,
      functionName: "account",
      args: [who],
    });
    return { viewingKey, spender, spenderUntil, owner, nonce, enrolledBlock };
  }

  /** X of an address; null when it is not enrolled. */
  async viewingKey(who: Address): Promise<Hex | null> {
    const { viewingKey } = await this.account(who);
    return viewingKey === NO_KEY ? null : viewingKey;
  }

  budgetOf(who: Address, asset: Address): Promise<bigint> {
    return this.client.readContract({ ...this.contract, functionName: "budgetOf", args: [who, asset] });
  }

  /** 0: the ledger never had this note, 1: open, 2: spent. */
  noteStatus(who: Address, asset: Address, note: bigint): Promise<number> {
    return this.client.readContract({ ...this.contract, functionName: "noteStatus", args: [who, asset, note] });
  }

  creditOf(who: Address, asset: Address): Promise<bigint> {
    return this.client.readContract({ ...this.contract, functionName: "creditOf", args: [who, asset] });
  }

  /** The encrypted root of an account as its `Enrolled` event holds it; null when there is none in that transaction. */
  async sealedRootIn(transactionHash: Hex, account: Address): Promise<Hex | null> {
    const receipt = await this.client.getTransactionReceipt({ hash: transactionHash });
    const events = await this.client.getContractEvents({
      ...this.contract,
      eventName: "Enrolled",
      args: { account },
      fromBlock: receipt.blockNumber,
      toBlock: receipt.blockNumber,
    });
    return events[0]?.args.sealedRoot ?? null;
  }

  /** A deadline for what is signed now: counted from the later of this machine's clock and the newest block. */
  async deadline(): Promise<bigint> {
    const { timestamp } = await this.client.getBlock({ blockTag: "latest" });
    const clock = BigInt(Math.floor(Date.now() / 1000));
    return (clock > timestamp ? clock : timestamp) + BigInt(this.expirySeconds);
  }

  /** Waits until a transaction is in a block; throws when it reverted. */
  async mined(hash: Hex): Promise<void> {
    const receipt = await this.call.whileWanted(this.client.waitForTransactionReceipt({ hash, timeout: 180_000 }));
    if (receipt.status === "success") return;
    throw new HalcyonError("internal", `Transaction ${hash} was reverted by the chain. Nothing has moved.`);
  }
}

import { type Address, type BlockTag, type Hex, isAddressEqual, zeroAddress } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import type { LedgerParty, LedgerRecord } from "@/lib/ledger/authority/ledger-record";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { Call } from "../api/call";
import { HalcyonError } from "../api/errors";
import { type ChainClient, chainClient } from "./chain-client";
import { rpcTransport } from "./rpc-transport";

/** The ledger's record of an account or agent. A viewing key of zeros: not enrolled. */
export interface AccountRecord extends LedgerRecord {
  /** Block of its enrolment: no event of the account, nor of an agent of its, is older. */
  enrolledBlock: bigint;
}

/** The policy that the ledger has of an account or agent. */
export interface PolicyRecord {
  policyVersion: bigint;
  recipientsRoot: Hex;
  documentHash: Hex;
}

/** What the code of a key that delegates begins with (EIP-7702). */
const DELEGATION = "0xef0100";
const NO_KEY = `0x${"00".repeat(32)}`;
/**
 * How long what this client signs may wait for a block, unless an option says otherwise: what did not happen is known soon.
 */
export const EXPIRY_SECONDS = 300;
/** The ledger's own bound of 24 h, less some minutes for clocks that differ. */
export const LONGEST_EXPIRY_SECONDS = 86_000;

/** A ledger as its chain shows it: what a service could lie about is read here. */
export class Chain {
  readonly client: ChainClient;

  constructor(
    readonly rpcUrl: string,
    readonly ledger: Address,
    private readonly expirySeconds = EXPIRY_SECONDS,
    readonly call = new Call(),
  ) {
    this.client = chainClient(rpcTransport(rpcUrl, call));
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

  /** @param block `latest` when left out */
  account(who: Address, block?: BlockTag): Promise<AccountRecord> {
    return this.client.readContract({ ...this.contract, functionName: "account", args: [who], blockTag: block });
  }

  /** An account, or an agent with its owner. */
  async party(who: Address): Promise<LedgerParty> {
    const record = await this.account(who);
    if (isAddressEqual(record.owner, zeroAddress)) return { address: who, record };
    return { address: who, record, owner: { address: record.owner, record: await this.account(record.owner) } };
  }

  async policyOf(who: Address): Promise<PolicyRecord> {
    const [policyVersion, recipientsRoot, documentHash] = await this.client.readContract({
      ...this.contract,
      functionName: "policyOf",
      args: [who],
    });
    return { policyVersion, recipientsRoot, documentHash };
  }

  /** The policy word of an asset; zero where nothing may be spent. */
  policyWordOf(who: Address, asset: Address): Promise<bigint> {
    return this.client.readContract({ ...this.contract, functionName: "policyWordOf", args: [who, asset] });
  }

  /** Whether the ledger has taken a payment id of this payer. It does so once, for ever. */
  paymentIdUsed(who: Address, paymentId: Hex): Promise<boolean> {
    return this.client.readContract({ ...this.contract, functionName: "paymentIdUsed", args: [who, paymentId] });
  }

  /** Whether an address is a contract. A key that delegates to code (EIP-7702) is none. */
  async isContract(who: Address): Promise<boolean> {
    const code = await this.client.getCode({ address: who });
    return code !== undefined && code !== "0x" && !code.startsWith(DELEGATION);
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
  noteStatus(who: Address, asset: Address, note: bigint, block?: BlockTag): Promise<number> {
    const args = [who, asset, note] as const;
    return this.client.readContract({ ...this.contract, functionName: "noteStatus", args, blockTag: block });
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

  /** The later of this machine's clock and the newest block, in Unix seconds. */
  async now(): Promise<bigint> {
    const { timestamp } = await this.client.getBlock({ blockTag: "latest" });
    const clock = BigInt(Math.floor(Date.now() / 1000));
    return clock > timestamp ? clock : timestamp;
  }

  /** A deadline for what is signed now. */
  async deadline(): Promise<bigint> {
    return (await this.now()) + BigInt(this.expirySeconds);
  }

  /** Waits until a transaction is in a block; throws when it reverted. */
  async mined(hash: Hex): Promise<void> {
    const receipt = await this.call.whileWanted(this.client.waitForTransactionReceipt({ hash, timeout: 180_000 }));
    if (receipt.status === "success") return;
    throw new HalcyonError("internal", `Transaction ${hash} was reverted by the chain. Nothing has moved.`);
  }
}

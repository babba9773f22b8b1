import { type Address, type BlockTag, type Hex, isAddressEqual, zeroAddress } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import type { LedgerParty, LedgerRecord } from "@/lib/ledger/authority/ledger-record";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { Call } from "../api/call";
import { HalcyonError } from "../api/errors";
import { type ChainClient, chainClient } from "./chain-client";
import { rpcTransport } from "./rpc-transport";

/** The ledger's record of an account or agent. A viewing key of zeros means that it is not enrolled. */
export interface AccountRecord extends LedgerRecord {
  /** The block of its enrollment: the account and its agents have no earlier events. */
  enrolledBlock: bigint;
}

/** The ledger's policy of an account or agent. */
export interface PolicyRecord {
  policyVersion: bigint;
  recipientsRoot: Hex;
  documentHash: Hex;
}

/** The prefix of the code of a delegating key (EIP-7702). */
const DELEGATION = "0xef0100";
const NO_KEY = `0x${"00".repeat(32)}`;
/**
 * The default for how long a document signed by this client may wait for a block, in seconds. Short, so that a failed
 * payment is soon certain.
 */
export const EXPIRY_SECONDS = 300;
/** The ledger's own limit of 24 hours, minus some minutes for clock differences. Seconds. */
export const LONGEST_EXPIRY_SECONDS = 86_000;

/** A ledger, read from its chain. Everything that a service could misreport is read here. */
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

  /**
   * Returns the chain id and domain salt to which keys and signatures are bound.
   *
   * @throws when there is no ledger at the address
   */
  async scope(): Promise<Scope> {
    const [chainId, domainSalt] = await Promise.all([
      this.client.getChainId(),
      this.client.readContract({ ...this.contract, functionName: "domainSalt" }),
    ]);
    return { chainId, ledger: this.ledger, domainSalt };
  }

  /**
   * Returns the ledger's record of an account.
   *
   * @param block default: `latest`
   */
  account(who: Address, block?: BlockTag): Promise<AccountRecord> {
    return this.client.readContract({ ...this.contract, functionName: "account", args: [who], blockTag: block });
  }

  /** Returns an account, or an agent together with its owner. */
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

  /** Returns the policy commitment of an asset; zero if nothing may be spent. */
  policyCommitmentOf(who: Address, asset: Address): Promise<bigint> {
    return this.client.readContract({ ...this.contract, functionName: "policyCommitmentOf", args: [who, asset] });
  }

  /** Reports whether the ledger has accepted a payment id of this payer. It accepts each only once, ever. */
  paymentIdUsed(who: Address, paymentId: Hex): Promise<boolean> {
    return this.client.readContract({ ...this.contract, functionName: "paymentIdUsed", args: [who, paymentId] });
  }

  /** Reports whether an address is a contract. A key that delegates to code (EIP-7702) is not. */
  async isContract(who: Address): Promise<boolean> {
    const code = await this.client.getCode({ address: who });
    return code !== undefined && code !== "0x" && !code.startsWith(DELEGATION);
  }

  /** Returns the viewing key X of an address; null when it is not enrolled. */
  async viewingKey(who: Address): Promise<Hex | null> {
    const { viewingKey } = await this.account(who);
    return viewingKey === NO_KEY ? null : viewingKey;
  }

  availableOf(who: Address, asset: Address, block?: BlockTag): Promise<bigint> {
    const args = [who, asset] as const;
    return this.client.readContract({ ...this.contract, functionName: "availableOf", args, blockTag: block });
  }

  /** Returns 0 if the ledger has never had this note, 1 if it is unspent, 2 if it is spent. */
  noteStatus(who: Address, asset: Address, note: bigint, block?: BlockTag): Promise<number> {
    const args = [who, asset, note] as const;
    return this.client.readContract({ ...this.contract, functionName: "noteStatus", args, blockTag: block });
  }

  depositedOf(who: Address, asset: Address): Promise<bigint> {
    return this.client.readContract({ ...this.contract, functionName: "depositedOf", args: [who, asset] });
  }

  /** Returns the encrypted account key from an account's `Enrolled` event; null if the transaction has none. */
  async encryptedAccountKeyIn(transactionHash: Hex, account: Address): Promise<Hex | null> {
    const receipt = await this.client.getTransactionReceipt({ hash: transactionHash });
    const events = await this.client.getContractEvents({
      ...this.contract,
      eventName: "Enrolled",
      args: { account },
      fromBlock: receipt.blockNumber,
      toBlock: receipt.blockNumber,
    });
    return events[0]?.args.encryptedAccountKey ?? null;
  }

  /** Returns the later of this machine's clock and the newest block's time, in Unix seconds. */
  async now(): Promise<bigint> {
    const { timestamp } = await this.client.getBlock({ blockTag: "latest" });
    const clock = BigInt(Math.floor(Date.now() / 1000));
    return clock > timestamp ? clock : timestamp;
  }

  /** Returns the deadline for a document signed now, in Unix seconds. */
  async deadline(): Promise<bigint> {
    return (await this.now()) + BigInt(this.expirySeconds);
  }

  /**
   * Waits until a transaction is in a block.
   *
   * @throws HalcyonError `internal` when it reverted
   */
  async mined(hash: Hex): Promise<void> {
    const receipt = await this.call.whileWanted(this.client.waitForTransactionReceipt({ hash, timeout: 180_000 }));
    if (receipt.status === "success") return;
    throw new HalcyonError("internal", `Transaction ${hash} was reverted by the chain. Nothing has moved.`);
  }
}

import { type Address, parseEventLogs, TransactionReceiptNotFoundError } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import type { TransferWithCopies } from "../../api/api-types";
import type { Chain } from "../../chain/chain";

/** The fields of a listed transfer that the chain shows too. */
export type Listed = Pick<
  TransferWithCopies,
  "kind" | "direction" | "account" | "recipient" | "note" | "old_commitment" | "new_commitment" | "tx_hash"
>;

/** An event as far as it is compared. */
export type Shown = Pick<MoneyEvent, "eventName" | "args">;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Reports whether these events of the ledger, all of one transaction, contain that of exactly this transfer. */
export function isIn(shown: readonly Shown[], entry: Listed, asset: Address): boolean {
  const [before, after] = [hexToCommitment(entry.old_commitment), hexToCommitment(entry.new_commitment)];
  const events = shown as readonly MoneyEvent[];
  const isNote = (note: bigint) => entry.note !== null && note === hexToCommitment(entry.note);
  const areFieldElements = (commitments: { oldAvailable: bigint; newAvailable: bigint }) =>
    commitments.oldAvailable === before && commitments.newAvailable === after;
  const moves = ({ account, to, asset: token }: { account: Address; to: Address; asset: Address }) =>
    same(account, entry.account) && same(to, entry.recipient) && same(token, asset);
  const batch = events.some(
    (event) =>
      event.eventName === "BatchTransferred" &&
      same(event.args.account, entry.account) &&
      same(event.args.asset, asset) &&
      areFieldElements(event.args),
  );
  return events.some((event) => {
    switch (event.eventName) {
      case "Transferred":
        return (
          entry.kind === "transfer" && moves(event.args) && areFieldElements(event.args) && isNote(event.args.note)
        );
      case "Paid":
        return entry.kind === "transfer" && batch && moves(event.args) && isNote(event.args.note);
      case "Released":
        return entry.kind === "release" && moves(event.args) && areFieldElements(event.args);
      case "Funded": {
        const { from: account, fromOldAvailable: oldAvailable, fromNewAvailable: newAvailable, ...args } = event.args;
        return entry.kind === "fund" && moves({ ...args, account }) && areFieldElements({ oldAvailable, newAvailable });
      }
      default:
        return false;
    }
  });
}

/**
 * Compares listed transfers with the chain. Create one per account: it caches which addresses are the account's agents.
 */
export class OnChain {
  private readonly owners = new Map<string, Promise<boolean>>();

  constructor(
    private readonly chain: Chain,
    /** Lower case. */
    private readonly account: Address,
  ) {}

  /**
   * Reports whether the ledger shows this transfer in the transaction that the service names, with this account or one
   * of its agents on the side that the service claims. Otherwise a service could list a payment to someone else that it
   * can decrypt itself.
   */
  async shows(entry: Listed, asset: Address): Promise<boolean> {
    return (await this.blockOf(entry, asset)) !== null;
  }

  /** Returns the block of a transfer that the ledger shows; null if it doesn't. */
  async blockOf(entry: Listed, asset: Address): Promise<bigint | null> {
    const ours = entry.direction === "sent" ? entry.account : entry.recipient;
    const [mine, receipt] = await Promise.all([this.isOurs(ours), this.receiptOf(entry)]);
    if (!mine || receipt?.status !== "success") return null;
    const events = parseEventLogs({ abi: ledgerAbi, logs: receipt.logs }).filter(({ address }) =>
      same(address, this.chain.ledger),
    );
    return isIn(events as unknown as Shown[], entry, asset) ? receipt.blockNumber : null;
  }

  private isOurs(address: Address): Promise<boolean> {
    const key = address.toLowerCase();
    if (key === this.account) return Promise.resolve(true);
    const known = this.owners.get(key) ?? this.chain.account(address).then(({ owner }) => same(owner, this.account));
    known.catch(() => this.owners.delete(key));
    this.owners.set(key, known);
    return known;
  }

  private async receiptOf({ tx_hash: hash }: Listed) {
    try {
      return await this.chain.client.getTransactionReceipt({ hash });
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return null;
      throw error;
    }
  }
}

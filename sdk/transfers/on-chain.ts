import { type Address, type Log, parseEventLogs, TransactionReceiptNotFoundError } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { hexToWord } from "@/lib/ledger/crypto/field";
import type { SealedTransfer } from "../api/api-types";
import type { Chain } from "../chain/chain";

/** Of a listed transfer, what the chain shows too. */
type Listed = Pick<
  SealedTransfer,
  "kind" | "direction" | "account" | "recipient" | "note" | "old_word" | "new_word" | "tx_hash"
>;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Whether these logs of the ledger contain the event of exactly this transfer. */
function isIn(logs: Log[], ledger: Address, entry: Listed, asset: Address): boolean {
  const [before, after] = [hexToWord(entry.old_word), hexToWord(entry.new_word)];
  return parseEventLogs({ abi: ledgerAbi, logs }).some((event) => {
    if (!same(event.address, ledger)) return false;
    if (event.eventName === "Transferred") {
      const { account, to, asset: token, oldBudget, newBudget, note } = event.args;
      const moved = entry.kind === "transfer" && same(account, entry.account) && same(to, entry.recipient);
      const words = oldBudget === before && newBudget === after;
      return moved && same(token, asset) && words && entry.note !== null && note === hexToWord(entry.note);
    }
    if (event.eventName === "Released") {
      const { account, to, asset: token, oldBudget, newBudget } = event.args;
      const moved = entry.kind === "release" && same(account, entry.account) && same(to, entry.recipient);
      return moved && same(token, asset) && oldBudget === before && newBudget === after;
    }
    if (event.eventName === "Funded") {
      const { from, to, asset: token, fromOldBudget, fromNewBudget } = event.args;
      const moved = entry.kind === "fund" && same(from, entry.account) && same(to, entry.recipient);
      return moved && same(token, asset) && fromOldBudget === before && fromNewBudget === after;
    }
    return false;
  });
}

/** Compares listed transfers with the chain: one per account, because it remembers whose agents it has seen. */
export class OnChain {
  private readonly owners = new Map<string, Promise<boolean>>();

  constructor(
    private readonly chain: Chain,
    /** Lower case. */
    private readonly account: Address,
  ) {}

  /**
   * Whether the ledger shows this transfer, in the transaction the service names, on the side that the service says is this
   * account's or an agent's of it. A service could otherwise list a payment to someone else that it can decrypt itself.
   */
  async shows(entry: Listed, asset: Address): Promise<boolean> {
    const ours = entry.direction === "sent" ? entry.account : entry.recipient;
    const [mine, receipt] = await Promise.all([this.isOurs(ours), this.receiptOf(entry)]);
    return mine && receipt?.status === "success" && isIn(receipt.logs, this.chain.ledger, entry, asset);
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

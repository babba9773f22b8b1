import { type Address, parseEventLogs, TransactionReceiptNotFoundError } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { hexToWord } from "@/lib/ledger/crypto/field";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import type { SealedTransfer } from "../../api/api-types";
import type { NetworkInfo } from "../../api/network-info";
import type { Chain } from "../../chain/chain";

/** The fields of a listed transfer that the chain shows too. */
type Listed = Pick<
  SealedTransfer,
  "kind" | "direction" | "account" | "recipient" | "note" | "old_word" | "new_word" | "tx_hash"
>;

type Dated = Listed & Pick<SealedTransfer, "status">;
type Standing = Pick<SealedTransfer, "status" | "tx_hash">;

/** An event as far as it is compared. */
type Shown = Pick<MoneyEvent, "eventName" | "args">;

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** Reports whether these events of the ledger, all of one transaction, contain that of exactly this transfer. */
function isIn(shown: readonly Shown[], entry: Listed, asset: Address): boolean {
  const [before, after] = [hexToWord(entry.old_word), hexToWord(entry.new_word)];
  const events = shown as readonly MoneyEvent[];
  const isNote = (note: bigint) => entry.note !== null && note === hexToWord(entry.note);
  const isWords = (words: { oldBudget: bigint; newBudget: bigint }) =>
    words.oldBudget === before && words.newBudget === after;
  const moves = ({ account, to, asset: token }: { account: Address; to: Address; asset: Address }) =>
    same(account, entry.account) && same(to, entry.recipient) && same(token, asset);
  const batch = events.some(
    (event) =>
      event.eventName === "BatchTransferred" &&
      same(event.args.account, entry.account) &&
      same(event.args.asset, asset) &&
      isWords(event.args),
  );
  return events.some((event) => {
    switch (event.eventName) {
      case "Transferred":
        return entry.kind === "transfer" && moves(event.args) && isWords(event.args) && isNote(event.args.note);
      case "Paid":
        return entry.kind === "transfer" && batch && moves(event.args) && isNote(event.args.note);
      case "Released":
        return entry.kind === "release" && moves(event.args) && isWords(event.args);
      case "Funded": {
        const { from: account, fromOldBudget: oldBudget, fromNewBudget: newBudget, ...args } = event.args;
        return entry.kind === "fund" && moves({ ...args, account }) && isWords({ oldBudget, newBudget });
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
  private readonly histories = new Map<string, Promise<MoneyEvent[]>>();

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

  /**
   * Returns status and transaction of a transfer of which the service says that it has failed or is under way. If the
   * ledger shows it all the same, it is `confirmed` or `pending`: otherwise its payer would pay again.
   */
  async standingOf(entry: Dated, asset: Address, finality: NetworkInfo["finality"]): Promise<Standing> {
    const { status, tx_hash } = entry;
    if (status === "confirmed") return { status, tx_hash };
    const named = tx_hash ? await this.blockOf(entry, asset) : null;
    const found =
      named === null ? await this.findEvent(entry, asset) : { blockNumber: named, transactionHash: tx_hash };
    if (!found) return { status, tx_hash };
    const final = await this.chain.client.getBlock({ blockTag: finality });
    return { status: found.blockNumber <= final.number ? "confirmed" : "pending", tx_hash: found.transactionHash };
  }

  /** Finds the event of a transfer whose transaction is not known, or is not the one that the service names. */
  private async findEvent(entry: Dated, asset: Address): Promise<MoneyEvent | undefined> {
    const { account, recipient, note, status } = entry;
    // The ledger takes a note once: without it the payment has not settled, so that most need no more than this.
    if (note !== null && (await this.chain.noteStatus(recipient, asset, hexToWord(note))) === 0) return undefined;
    if (note === null && status !== "failed") return undefined;
    const byTransaction = new Map<string, MoneyEvent[]>();
    for (const event of await this.historyOf(account)) {
      byTransaction.set(event.transactionHash, [...(byTransaction.get(event.transactionHash) ?? []), event]);
    }
    return [...byTransaction.values()].find((events) => isIn(events, entry, asset))?.[0];
  }

  private historyOf(account: Address): Promise<MoneyEvent[]> {
    const key = account.toLowerCase();
    const known = this.histories.get(key) ?? this.readHistory(account);
    known.catch(() => this.histories.delete(key));
    this.histories.set(key, known);
    return known;
  }

  private async readHistory(account: Address): Promise<MoneyEvent[]> {
    const { client, ledger } = this.chain;
    const [{ moneyEvents }, newest, { enrolledBlock }] = await Promise.all([
      import("../../chain/ledger-events"),
      client.getBlockNumber(),
      this.chain.account(account),
    ]);
    return moneyEvents(client, ledger, account, enrolledBlock, newest);
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

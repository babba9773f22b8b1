import { type Command, Option } from "commander";
import type { Paged } from "../api/paged";
import type { Transfer, TransferList } from "../api/resources/transfers";
import type { Halcyon } from "../client";
import type { ListTransfersInput } from "../payments/transfers/list-transfers";
import type { DecryptedTransfer, DecryptedTransferList } from "../payments/transfers/transfers";
import { exportedTransfer, TRANSFER_COLUMNS, transferFields } from "../payments/transfers/transfers-csv";
import type { Access } from "./environment";
import { type Listing, listOptions, type PageOptions } from "./listing";
import { parseInstant } from "./option-values";
import { fields, time } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

/** A transfer to print. Without a wallet or viewing key, it is the service's own, which has no amount. */
type Shown = Transfer | DecryptedTransfer;

const isDecrypted = (transfer: Shown): transfer is DecryptedTransfer => "amount" in transfer;

/** Distinguishes an amount that can't be decrypted from one that no key was given for. */
const amountOf = (transfer: Shown) => (isDecrypted(transfer) ? (transfer.amount ?? "unreadable") : "encrypted");
/** Marks what only the service says: without an amount, nothing of an entry was compared with the chain. */
const said = (transfer: Shown, text: string) =>
  isDecrypted(transfer) && transfer.amount === null ? `${text} (unverified)` : text;
/** Marks a handle that this machine does not know, too. */
const nameOf = (transfer: Shown, side: "from" | "to") =>
  isDecrypted(transfer) && transfer.unverified_names.includes(side)
    ? `${transfer[side]} (unverified)`
    : said(transfer, transfer[side]);
const memoOf = (transfer: Shown) => (isDecrypted(transfer) ? transfer.memo : null);

const LISTING: Listing<Shown> = {
  name: "transfers",
  headings: ["created", "id", "direction", "from", "to", "amount", "asset", "status", "reference", "memo"],
  row: (entry) => [
    time(entry.created_at),
    entry.transfer_id,
    said(entry, entry.direction),
    said(entry, entry.from),
    said(entry, entry.to),
    amountOf(entry),
    said(entry, entry.asset),
    said(entry, entry.status),
    entry.reference,
    memoOf(entry),
  ],
  none: "No transfers.",
  // Without an amount, the address was not compared with the chain either.
  unverified: (entry) =>
    isDecrypted(entry) && entry.amount !== null
      ? entry.unverified_names.map((side) => `${entry[side]} ${entry[`${side}_address`]}`)
      : [],
  columns: TRANSFER_COLUMNS,
  record: (entry) => transferFields(exportedTransfer(entry)),
};

function showTransfer(transfer: Shown): string {
  return fields({
    transfer_id: transfer.transfer_id,
    status: said(transfer, transfer.status),
    direction: said(transfer, transfer.direction),
    from: nameOf(transfer, "from"),
    to: nameOf(transfer, "to"),
    amount: `${amountOf(transfer)} ${said(transfer, transfer.asset)}`,
    memo: memoOf(transfer),
    reference: transfer.reference,
    "refund of": transfer.refund_of,
    "payment request": transfer.payment_request,
    public: transfer.confidential ? null : "yes: anyone can see the amount",
    tx_hash: said(transfer, transfer.tx_hash),
    created: time(transfer.created_at),
    confirmed: transfer.confirmed_at && time(transfer.confirmed_at),
  });
}

function filterOptions(command: Command): Command {
  return command
    .option("--from <time>", "only those created after this time, such as 2026-11-21", parseInstant)
    .option("--to <time>", "only those created before this time", parseInstant)
    .addOption(
      new Option("--status <status>", "only those with this status").choices(["pending", "confirmed", "failed"]),
    )
    .addOption(new Option("--direction <direction>", "only those you sent or received").choices(["sent", "received"]))
    .option("--asset <asset>", "only this asset")
    .addOption(
      new Option("--kind <kind>", "only this kind").choices([
        "payment",
        "public",
        "refund",
        "move",
        "payment_request",
        "payout",
        "schedule",
      ]),
    )
    .option("--reference <text>", "only those with exactly this reference")
    .option("--refund-of <id>", "only the refunds of this transfer")
    .option("--counterparty <who>", "only those with this @handle or 0x address on the other side")
    .option("--agent <name>", "only this agent's")
    .option("--key <id>", "only those paid with this API key");
}

function read(
  client: Halcyon,
  filters: ListTransfersInput & PageOptions,
  { decrypts }: Access,
): Paged<TransferList | DecryptedTransferList, Shown> {
  return decrypts ? client.transfers.listDecrypted(filters) : client.transfers.list(filters);
}

/** `transfers`, `transfers get`. */
export const transferCommands: AddCommand = (program, reports) => {
  const transfers = withExamples(
    filterOptions(
      listOptions(
        program
          .command("transfers")
          .description("list transfers, newest first; amounts and memos are decrypted on this machine"),
      ),
    ),
    "transfers",
    "transfers --from 2026-11-01 --direction received --counterparty @bob",
    "transfers --all --csv > transfers.csv",
  );
  transfers.action(() => {
    const given = transfers.opts<ListTransfersInput>();
    const { from, to, status, direction, asset, kind, reference, refundOf, counterparty, agent, key } = given;
    const filters = { from, to, status, direction, asset, kind, reference, refundOf, counterparty, agent, key };
    return reports.listing(transfers, (client, page, access) => read(client, { ...filters, ...page }, access), LISTING);
  });

  const get = withExamples(
    transfers
      .command("get")
      .description("show one transfer; with the wallet or viewing key its amount and memo, decrypted on this machine")
      .argument("<id>", "the transfer's id"),
    "transfers get tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
  );
  get.action((id: string) =>
    reports.withClient<Shown>(
      get,
      (client, { decrypts }) => (decrypts ? client.transfers.getDecrypted(id) : client.transfers.get(id)),
      showTransfer,
    ),
  );
};

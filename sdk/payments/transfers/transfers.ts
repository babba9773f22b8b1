import { type Address, isAddressEqual } from "viem";
import { findAgent } from "../../account/agents";
import type { TransferWithCopies } from "../../api/api-types";
import { timeText } from "../../api/check-input";
import type { PageInfo } from "../../api/paged";
import type { Transfer } from "../../api/resources/transfers";
import type { Context } from "../../context/context";
import { readTransferCopies, readTransfers } from "./encrypted-transfers";
import type { ListTransfersInput } from "./list-transfers";
import { type TransferContent, TransferDecrypter } from "./transfer-opener";

/** A transfer, including what only its two sides can decrypt. */
export interface DecryptedTransfer extends Omit<Transfer, "encrypted" | "history">, TransferContent {
  /**
   * `release` for a public payment, `fund` for a move between you and your agent. Its `direction` is that of the agent
   * whose transfers are listed, and otherwise `sent`: the two addresses say which way it went.
   */
  kind: TransferWithCopies["kind"];
  /** The sender's address on chain. */
  from_address: Address;
  /** The recipient's address on chain. */
  to_address: Address;
  /**
   * The sides, `from` or `to`, whose handle only the service says: not your own account's, and none that this machine has
   * paid before. With an amount, the addresses beside them are the chain's.
   */
  unverified_names: ("from" | "to")[];
  /** The API key that made the payment; null for payments by others, and for payments made with the wallet. */
  api_key_id: string | null;
}

/** A page of decrypted transfers. */
export interface DecryptedTransferList extends PageInfo {
  transfers: DecryptedTransfer[];
}

/** Filters for a list of transfers, and its paging. */
export type TransfersInput = ListTransfersInput;

/** Returns one transfer with amount and memo. Implements `transfers.getDecrypted`. */
export async function getDecrypted(context: Context, id: string): Promise<DecryptedTransfer> {
  const [entry, opener] = await Promise.all([readTransferCopies(context, id), TransferDecrypter.of(context)]);
  return withNames(await opened(opener, entry), await checkNames(context, [entry]));
}

/**
 * Checks what the service calls the account itself, and everyone whose handle this machine knows: the ledger knows no
 * handles.
 *
 * @returns those whose handle was checked, by name and address
 * @throws PinMismatch if the account had another handle before, or a handle another address
 */
async function checkNames(context: Context, entries: readonly TransferWithCopies[]): Promise<ReadonlySet<string>> {
  const [info, { account }] = await Promise.all([context.info(), context.viewer()]);
  const { pins } = context;
  const sides = entries.flatMap(({ account: payer, recipient, from, to }) => [
    { name: from, address: payer },
    { name: to, address: recipient },
  ]);
  const named = new Map(sides.map((side) => [keyOf(side.name, side.address), side]));
  const checked = new Set<string>();
  const isOwn = (address: Address) => address.toLowerCase() === account.toLowerCase();
  for (const { name, address } of named.values()) {
    if (!name.startsWith("@") || !isOwn(address)) continue;
    await pins.checkOwnHandle(info, account, name);
    await pins.checkHandle(info, name, account);
  }
  for (const [key, { name, address }] of named) {
    const isKnown = name.startsWith("@") && (await pins.addressOf(info, name)) !== undefined;
    if (isKnown) await pins.checkHandle(info, name, address);
    if (isKnown) checked.add(key);
  }
  return checked;
}

const keyOf = (name: string, address: Address) => `${name} ${address.toLowerCase()}`;

/** Says which names of a transfer were not checked. An address needs no check. */
function withNames(transfer: Omit<DecryptedTransfer, "unverified_names">, checked: ReadonlySet<string>) {
  const { from, to, from_address, to_address } = transfer;
  const isSaid = (name: string, address: Address) => name.startsWith("@") && !checked.has(keyOf(name, address));
  const unverified_names: DecryptedTransfer["unverified_names"] = [];
  if (isSaid(from, from_address)) unverified_names.push("from");
  if (isSaid(to, to_address)) unverified_names.push("to");
  return { ...transfer, unverified_names };
}

/** Returns the handle that the service gives a side of a transfer, or else the address that the chain shows. */
const named = (name: string, address: Address) =>
  name.startsWith("@") || name.toLowerCase() === address.toLowerCase() ? name : address;

/** Returns the direction as it was compared with the chain. Of a move both sides are ours: its addresses decide. */
function directionOf({ kind, direction, account }: TransferWithCopies, agent?: Address): "sent" | "received" {
  const isSent = kind === "fund" ? !agent || isAddressEqual(account, agent) : direction === "sent";
  return isSent ? "sent" : "received";
}

/**
 * Converts a transfer of the session API to the SDK's form: amount and memo replace their ciphertexts.
 *
 * @param agent the address of the agent whose transfers are listed
 */
export async function opened(
  opener: TransferDecrypter,
  listed: TransferWithCopies,
  agent?: Address,
): Promise<Omit<DecryptedTransfer, "unverified_names">> {
  const entry = await opener.asOnChain(listed);
  return {
    transfer_id: entry.transfer_id,
    status: entry.status,
    direction: directionOf(entry, agent),
    from: named(entry.from, entry.account),
    to: named(entry.to, entry.recipient),
    asset: entry.asset,
    ...(await opener.content(entry, entry.status)),
    confidential: entry.kind !== "release",
    tx_hash: entry.tx_hash,
    created_at: entry.created_at,
    confirmed_at: entry.confirmed_at,
    reference: entry.reference,
    refund_of: entry.refund_of,
    checked: entry.checked,
    payment_request: entry.payment_request,
    payout: entry.payout,
    schedule_run: entry.schedule_run,
    kind: entry.kind,
    from_address: entry.account,
    to_address: entry.recipient,
    api_key_id: entry.key_id,
  };
}

/** Returns a page of the newest transfers with amounts and memos. Implements `transfers.listDecrypted`. */
export async function decryptedPage(context: Context, input: TransfersInput): Promise<DecryptedTransferList> {
  const [agent, opener] = await Promise.all([
    input.agent === undefined ? undefined : findAgent(context, input.agent),
    TransferDecrypter.of(context),
  ]);
  const { from, to, startingAfter, refundOf, ...filters } = input;
  const times = { from: timeText(from), to: timeText(to) };
  const query = { ...filters, ...times, agent: agent?.account_id, refund_of: refundOf, starting_after: startingAfter };
  const listed = await readTransfers(context, query);
  const { limit, offset, has_more } = listed;
  const checked = await checkNames(context, listed.transfers);
  const entries = await Promise.all(
    listed.transfers.map(async (entry) => withNames(await opened(opener, entry, agent?.public_key), checked)),
  );
  return { transfers: entries, limit, offset, has_more };
}

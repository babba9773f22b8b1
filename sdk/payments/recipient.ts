import { type Address, isAddressEqual } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { addressOfHandle, parseAddress } from "../account/resolve-address";
import { HalcyonError } from "../api/errors";
import { PinMismatch } from "../api/pin-mismatch";
import type { Context } from "../context/context";

/**
 * The recipient of a client-signed payment, as resolved on this machine. `viewingKey` is null if the address is not
 * enrolled.
 */
export interface Recipient {
  address: Address;
  /** The handle without @; null if the recipient was given as an address. */
  handle: string | null;
  viewingKey: Uint8Array | null;
  /** The owner of an agent, according to the chain; otherwise the zero address. */
  owner: Address;
  /** The recipient's handle, if this machine has not pinned it: the address then comes from the service alone. */
  unpinned?: string;
}

/** What the payer knows about a recipient, whatever the service says. No part of the public input. */
export interface Meant {
  /** The address that `to` must resolve to: the one that a person reviewed or that was stored. */
  meant?: Address | undefined;
}

/**
 * Resolves `to` to an address and its viewing key. The service returns a handle's address, which is pinned at first
 * use; the viewing key is read from the chain. So an attacker who later takes over the service can't redirect a
 * client-signed payment.
 *
 * @param meant the address `to` must resolve to, if it is already known
 * @param later leaves an unpinned handle unpinned
 * @throws HalcyonError `invalid_request`, `recipient_not_found`; PinMismatch
 */
export async function resolveRecipient(
  context: Context,
  payer: Address,
  to: string,
  { meant, later = false }: Meant & { later?: boolean } = {},
): Promise<Recipient> {
  return recipientAt(context, payer, to, await addressFor(context, to), { meant, later });
}

/** Like `resolveRecipient`, with the address that the service has for a handle. */
export async function recipientAt(
  context: Context,
  payer: Address,
  to: string,
  found: Address,
  { meant, later = false }: Meant & { later?: boolean } = {},
): Promise<Recipient> {
  const chain = await context.chain();
  const address = to.startsWith("0x") ? parseAddress(to) : found;
  if (meant !== undefined && !isAddressEqual(address, meant)) {
    throw new PinMismatch(`${to} now has another address than before. Do not pay until you have asked its owner.`);
  }
  const unpinned = await pinOf(context, to, address, later);
  if (isAddressEqual(address, payer)) {
    throw new HalcyonError("invalid_request", "An account cannot pay itself. Choose another recipient.");
  }
  const { viewingKey, owner } = await chain.account(address);
  const key = BigInt(viewingKey) === 0n ? null : fromHex(viewingKey);
  const handle = to.startsWith("0x") ? null : to.replace(/^@/, "").toLowerCase();
  return { address, handle, viewingKey: key, owner, ...(unpinned && { unpinned }) };
}

/** Returns the address that `to` is, or that the service has for it. */
async function addressFor(context: Context, to: string): Promise<Address> {
  return to.startsWith("0x") ? parseAddress(to) : addressOfHandle(context, to);
}

/** Pins or checks a handle's address. Returns the handle if pinning is left for later. */
async function pinOf(context: Context, to: string, address: Address, later: boolean): Promise<string | undefined> {
  if (to.startsWith("0x")) return undefined;
  const info = await context.info();
  if (later && (await context.pins.addressOf(info, to)) === undefined) return to;
  await context.pins.checkHandle(info, to, address);
  return undefined;
}

/** The recipient that a payment would go to, for a person to check before paying. */
export interface FoundRecipient {
  address: Address;
  /** Whether the recipient can receive confidential payments. */
  ready: boolean;
  /** Whether it is the account itself or one of its agents. */
  own: "account" | "agent" | null;
  /** For a handle: whether the address is the same as at this machine's first payment, or this would be the first. */
  pin: "same" | "first" | null;
}

/**
 * Finds the recipient that a payment would go to, without pinning anything.
 *
 * @throws HalcyonError `invalid_request`, `recipient_not_found`; PinMismatch for a handle whose address has changed
 */
export async function findRecipient(context: Context, to: string): Promise<FoundRecipient> {
  const chain = await context.chain();
  const address = await addressFor(context, to);
  const first = await pinOf(context, to, address, true);
  const { viewingKey, owner } = await chain.account(address);
  const isOwn = (one: Address) => isAddressEqual(one, context.wallet.address);
  return {
    address,
    ready: BigInt(viewingKey) !== 0n,
    own: isOwn(address) ? "account" : isOwn(owner) ? "agent" : null,
    pin: to.startsWith("0x") ? null : first ? "first" : "same",
  };
}

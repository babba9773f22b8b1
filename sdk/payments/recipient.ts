import { type Address, isAddressEqual } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { addressOf, addressOfHandle } from "../account/resolve-address";
import { HalcyonError } from "../api/errors";
import { PinMismatch } from "../api/pin-mismatch";
import type { AccountRecord } from "../chain/chain";
import type { Context } from "../context/context";

/** Whom a prepared payment goes to, as this machine sees it. `viewingKey` is null when no one enrolled there. */
export interface Recipient {
  address: Address;
  /** Without @, as it was named; null for one named by its address. */
  handle: string | null;
  viewingKey: Uint8Array | null;
  /** Of an agent, as the chain has it; the zero address otherwise. */
  owner: Address;
  /** The handle it was named by, where this machine has not pinned that: the address comes from the service alone. */
  unpinned?: string;
}

/**
 * The address behind `to` and its viewing key. A handle's address is asked of the service and pinned at first use; the
 * viewing key is read from the chain. So a service taken over later cannot redirect a prepared payment.
 *
 * @param meant the address `to` must stand for, where it is known already
 * @param later leaves a handle that is not pinned yet unpinned
 * @throws HalcyonError `invalid_request`, `recipient_not_found`; PinMismatch
 */
export async function resolveRecipient(
  context: Context,
  payer: Address,
  to: string,
  { meant, later = false }: { meant?: Address; later?: boolean } = {},
): Promise<Recipient> {
  const chain = await context.chain();
  const address = to.startsWith("0x") ? addressOf(to) : await addressOfHandle(context, to);
  if (meant !== undefined && !isAddressEqual(address, meant)) {
    throw new PinMismatch(`${to} stands for another address than when this was asked for. Do not pay; ask its owner.`);
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

/** Pins or checks a handle's address. Returns the handle when that is left for later. */
async function pinOf(context: Context, to: string, address: Address, later: boolean): Promise<string | undefined> {
  if (to.startsWith("0x")) return undefined;
  const info = await context.info();
  if (later && (await context.pins.addressOf(info, to)) === undefined) return to;
  await context.pins.checkHandle(info, to, address);
  return undefined;
}

/** The recipient that a payment would find, for a person to check before they pay. */
export interface FoundRecipient {
  address: Address;
  /** Whether confidential payments reach them. */
  ready: boolean;
  /** The account itself or one of its agents. */
  own: "account" | "agent" | null;
  /** Of a handle: the address is the same as at the first payment of this machine, or there was none. */
  pin: "same" | "first" | null;
}

/**
 * Finds whom a payment would go to; remembers nothing.
 *
 * @throws HalcyonError `invalid_request`, `recipient_not_found`; PinMismatch for a handle with another address than before
 */
export async function findRecipient(context: Context, to: string): Promise<FoundRecipient> {
  const chain = await context.chain();
  if (to.startsWith("0x")) return found(context, await chain.account(addressOf(to)), addressOf(to), null);
  const address = await addressOfHandle(context, to);
  const info = await context.info();
  if ((await context.pins.addressOf(info, to)) === undefined) {
    return found(context, await chain.account(address), address, "first");
  }
  await context.pins.checkHandle(info, to, address);
  return found(context, await chain.account(address), address, "same");
}

function found(
  { wallet }: Context,
  { viewingKey, owner }: AccountRecord,
  address: Address,
  pin: FoundRecipient["pin"],
): FoundRecipient {
  const own = isAddressEqual(address, wallet.address)
    ? "account"
    : isAddressEqual(owner, wallet.address)
      ? "agent"
      : null;
  return { address, ready: BigInt(viewingKey) !== 0n, own, pin };
}

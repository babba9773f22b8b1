import { type Address, isAddress, isAddressEqual } from "viem";
import { fromHex } from "@/lib/ledger/bytes";
import type { Context } from "./context";
import { HalcyonError, PinMismatch } from "./errors";

/** Whom a prepared payment goes to, as this machine sees it. `viewingKey` is null when nobody enrolled there. */
export interface Recipient {
  address: Address;
  viewingKey: Uint8Array | null;
  /** Of an agent, as the chain has it; the zero address otherwise. */
  owner: Address;
}

/**
 * The address behind `to` and its viewing key. A handle's address is asked of the service and pinned at first use; the
 * viewing key is read from the chain. So a service taken over later cannot redirect a prepared payment.
 *
 * @param meant the address `to` must stand for, where it is known already
 * @throws HalcyonError `invalid_request`, `recipient_not_found`; PinMismatch
 */
export async function resolveRecipient(
  context: Context,
  payer: Address,
  to: string,
  meant?: Address,
): Promise<Recipient> {
  const chain = await context.chain();
  const address = to.startsWith("0x") ? addressOf(to) : await addressOfHandle(context, to);
  if (meant !== undefined && !isAddressEqual(address, meant)) {
    throw new PinMismatch(`${to} stands for another address than when this was asked for. Do not pay; ask its owner.`);
  }
  if (!to.startsWith("0x")) await context.pins.checkHandle(await context.info(), to, address);
  if (isAddressEqual(address, payer)) {
    throw new HalcyonError("invalid_request", "An account cannot pay itself. Choose another recipient.");
  }
  const { viewingKey, owner } = await chain.account(address);
  return { address, viewingKey: BigInt(viewingKey) === 0n ? null : fromHex(viewingKey), owner };
}

function addressOf(text: string): Address {
  // `strict` checks the EIP-55 checksum of mixed case.
  if (isAddress(text)) return text;
  throw new HalcyonError(
    "invalid_request",
    "This is not an address: 0x and 40 hex digits, with a right checksum if in mixed case.",
  );
}

async function addressOfHandle(context: Context, handle: string): Promise<Address> {
  const session = await context.session();
  const { address } = await session.get<{ address: Address }>("/api/accounts/resolve", { to: handle });
  return address;
}

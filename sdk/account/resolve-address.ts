import { type Address, isAddress } from "viem";
import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";

/**
 * Parses an address that a person wrote.
 *
 * @throws HalcyonError `invalid_request`
 */
export function parseAddress(text: string): Address {
  // `strict` checks the EIP-55 checksum of a mixed-case address.
  if (isAddress(text)) return text;
  throw new HalcyonError(
    "invalid_request",
    "This is not an address: 0x and 40 hex digits, with a right checksum if in mixed case.",
  );
}

/**
 * Returns the address of a recipient in a policy. Checks a handle's address against this machine's pin, but doesn't pin
 * it.
 *
 * @throws HalcyonError `recipient_not_found`; PinMismatch
 */
export async function resolveAddress(context: Context, entry: string): Promise<Address> {
  if (entry.startsWith("0x")) return parseAddress(entry);
  const [address, info] = [await addressOfHandle(context, entry), await context.info()];
  if ((await context.pins.addressOf(info, entry)) === undefined) return address;
  return context.pins.checkHandle(info, entry, address);
}

/**
 * Returns the service's address for a handle.
 *
 * @throws HalcyonError `recipient_not_found`
 */
export async function addressOfHandle(context: Context, handle: string): Promise<Address> {
  const session = await context.session();
  const { address } = await session.get<{ address: Address }>("/api/accounts/resolve", { to: handle });
  return address;
}

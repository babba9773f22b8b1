import { type Address, isAddress } from "viem";
import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";

/** An address as a person writes it. @throws HalcyonError `invalid_request` */
export function addressOf(text: string): Address {
  // `strict` checks the EIP-55 checksum of mixed case.
  if (isAddress(text)) return text;
  throw new HalcyonError(
    "invalid_request",
    "This is not an address: 0x and 40 hex digits, with a right checksum if in mixed case.",
  );
}

/**
 * The address that a recipient of a policy stands for: a handle's is checked against this machine's pin, which is not made.
 *
 * @throws HalcyonError `recipient_not_found`; PinMismatch
 */
export async function resolveAddress(context: Context, entry: string): Promise<Address> {
  if (entry.startsWith("0x")) return addressOf(entry);
  const [address, info] = [await addressOfHandle(context, entry), await context.info()];
  if ((await context.pins.addressOf(info, entry)) === undefined) return address;
  return context.pins.checkHandle(info, entry, address);
}

/** The address that the service has of a handle. @throws HalcyonError `recipient_not_found` */
export async function addressOfHandle(context: Context, handle: string): Promise<Address> {
  const session = await context.session();
  const { address } = await session.get<{ address: Address }>("/api/accounts/resolve", { to: handle });
  return address;
}

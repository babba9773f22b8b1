import { lookup } from "node:dns/promises";
import { isPrivateAddress } from "@/lib/private-address";

/**
 * Resolves a host name, in the form Node's `lookup` returns.
 *
 * @throws PublicProver if any of its addresses is public
 */
export async function privateAddresses(hostname: string): Promise<{ address: string; family: number }[]> {
  const found = await lookup(hostname, { all: true });
  const outside = found.find(({ address }) => !isPrivateAddress(address));
  if (outside) throw new PublicProver();
  return found;
}

/** The prover's host name resolves to a public address, so amounts would leave the operator's network. */
export class PublicProver extends Error {
  override readonly name = "PublicProver";
  constructor() {
    super("PROVER_URL stands for a public address. A prover learns amounts: it has to be in your own network.");
  }
}

import { lookup } from "node:dns/promises";
import { isPrivateAddress } from "@/lib/private-address";

/** What a name stands for, as Node asks for it; one public address among them refuses them all. */
export async function privateAddresses(hostname: string): Promise<{ address: string; family: number }[]> {
  const found = await lookup(hostname, { all: true });
  const outside = found.find(({ address }) => !isPrivateAddress(address));
  if (outside) throw new PublicProver();
  return found;
}

/** The prover's name stands for a public address: amounts would leave the operator's network. */
export class PublicProver extends Error {
  override readonly name = "PublicProver";
  constructor() {
    super("PROVER_URL stands for a public address. A prover learns amounts: it has to be in your own network.");
  }
}

import { type Address, type Hex, keccak256 } from "viem";
import type { ChainId } from "@/lib/base/network";
import { inSpan } from "@/lib/base/telemetry/in-span";
import type { Fees } from "./fees";
import type { TransactionSigner } from "./relayer";

/** A call as an operation holds it. */
export interface Call {
  target: Address;
  data: Hex;
  /** In wei. */
  value: bigint;
  gas: bigint;
}

interface SignedTransaction {
  hash: Hex;
  raw: Hex;
}

/**
 * Signs an EIP-1559 transaction, without asking the chain. With a key of a KMS this calls the KMS, so never do it
 * inside a database transaction.
 */
export async function signTransaction(
  chainId: ChainId,
  relayer: Pick<TransactionSigner, "signTransaction">,
  nonce: number,
  call: Call,
  fees: Fees,
): Promise<SignedTransaction> {
  const { target, data, value, gas } = call;
  const raw = await inSpan("sign", { "halcyon.chain_id": chainId }, () =>
    relayer.signTransaction({ type: "eip1559", chainId, nonce, to: target, data, value, gas, ...fees }),
  );
  return { hash: keccak256(raw), raw };
}

import { type Address, isAddressEqual } from "viem";
import { deriveAgentHalf, deriveOneTimeKey } from "@/lib/ledger/crypto/keys";
import { paymentIdOf } from "@/lib/ledger/crypto/payment-id-of";
import type { HeldPayment } from "@/lib/ledger/encrypted/held";
import { signExact } from "@/lib/ledger/exact/authorizations";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import { domainOfToken } from "../../chain/domain-of-token";
import type { Context } from "../../context/context";

/** How long the seller may collect an approved payment, in seconds. */
const TAKE_SECONDS = 3_600n;

/** The signatures of a one-time address, in the form the service accepts with an approval. */
interface SignedExact {
  valid_before: number;
  signature: string;
  return_signature: string;
}

/**
 * Derives the key of the one-time address that pays a seller, on this machine, from the asker's authority and
 * the payment's seed.
 *
 * @returns a function that signs the payment to the seller and the return to the owner's wallet
 * @throws HalcyonError `sync_required` if the account's secret was rotated after the payment was requested
 */
export async function exactSigner(
  context: Context,
  payer: Address,
  seller: Address,
  asset: Asset,
  { seed, to, amount }: Pick<HeldPayment, "seed" | "to" | "amount">,
): Promise<() => Promise<SignedExact>> {
  const [scope, vault, chain] = await Promise.all([context.scope(), context.vault(), context.chain()]);
  const owner = context.wallet.address;
  const isOwn = isAddressEqual(payer, owner);
  const authority = isOwn ? vault.authority : deriveAgentHalf(vault.authority, payer, scope);
  const paymentId = paymentIdOf(seed, scope);
  const { privateKey, address } = deriveOneTimeKey(authority, scope, paymentId);
  if (!isAddressEqual(address, to)) {
    throw new HalcyonError("sync_required", "The account's secret was rotated since. Reject it; its agent asks again.");
  }
  const domain = await domainOfToken(chain, scope.chainId, asset.address);
  return async () => {
    const validBefore = (await chain.now()) + TAKE_SECONDS;
    const terms = {
      from: lowerCase(address),
      seller,
      returnTo: lowerCase(owner),
      value: amount * asset.unit,
      validBefore,
      paymentId,
    };
    const { signature, returnSignature } = await signExact(domain, privateKey, terms);
    return { valid_before: Number(validBefore), signature, return_signature: returnSignature };
  };
}

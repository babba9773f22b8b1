import { type Address, BaseError, decodeErrorResult, type Hex, RpcRequestError } from "viem";
import { assetBySymbol } from "@/lib/base/assets";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { chainEnv, publicClient } from "@/lib/chain/clients";
import { documentCalldata } from "@/lib/chain/document-calldata";
import type { SignedPayment } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { finishPlan, type Plan } from "@/lib/ledger/prepare/plan";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { processProver } from "@/lib/prover/process-prover";
import type { Owner } from "@/test/accounts/owner";

/** Returns what the ledger says about a call: the name of its error, or "accepted". */
export async function ledgerSays({ chainId }: Pick<Owner, "chainId">, from: Address, data: Hex): Promise<string> {
  try {
    await publicClient(chainId).call({ account: from, to: chainEnv(chainId).ledger, data });
    return "accepted";
  } catch (error) {
    const rpc = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError);
    if (!(rpc instanceof RpcRequestError) || typeof rpc.data !== "string") throw error;
    return decodeErrorResult({ abi: ledgerAbi, data: rpc.data as Hex }).errorName;
  }
}

/**
 * A payment with a valid proof that only lacks its signature, as someone could create it who knows everything except
 * the signing keys.
 */
export interface Unsigned {
  kind: string;
  /** Returns calldata signed with this key. Without a key it is unsigned, so that only the sender counts. */
  signedBy(privateKey?: Hex): Promise<Hex>;
}

/** Creates a confidential and a public payment from `payer`'s available balance, from its true opening. */
export async function provenPayments(payer: Owner, recipient: Owner, publicRecipient: Address): Promise<Unsigned[]> {
  const request = {
    scope: payer.scope,
    account: payer.address,
    asset: assetBySymbol(payer.chainId).address,
    available: await payer.decryptAvailable(),
    amount: 5_000_000n,
    policyVersion: 0n,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 3_600),
    payerViewingKey: payer.viewing.publicKey,
    secret: payer.secret,
  };
  const recipientViewingKey = recipient.viewing.publicKey;
  return [
    await unsigned(await planTransfer({ ...request, to: recipient.address, recipientViewingKey })),
    await unsigned(await planRelease({ ...request, to: publicRecipient })),
  ];
}

async function unsigned<D extends SignedPayment>(plan: Plan<D>): Promise<Unsigned> {
  const { circuit, typedData, digest } = plan.call;
  const proven = await (await processProver()).prove(circuit, plan.input);
  return {
    kind: plan.draft.kind,
    async signedBy(privateKey) {
      const signature = privateKey
        ? await keySigner(privateKey)({ digest, typedData })
        : (`0x${"00".repeat(65)}` as const);
      const document = finishPlan(plan, proven, signature);
      return documentCalldata(privateKey ? document : { ...document, signature: "0x" });
    },
  };
}

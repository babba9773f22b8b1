import { createWalletClient, encodeFunctionData, type Hex, http, padHex, parseAbi, sliceHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Context } from "@/sdk/context/context";
import type { preparePayment } from "@/sdk/payments/payment";

const ledgerAbi = parseAbi([
  "struct Proof { uint256[2] a; uint256[2][2] b; uint256[2] c; }",
  "struct Transfer { address account; address to; address asset; uint64 deadline; uint256 newAvailable; uint256 note; bytes32[4] recipientCiphertext; bytes32[4] payerCiphertext; }",
  "function transfer(Transfer params, Proof proof, bytes signature)",
]);

/** Splits a ciphertext into four words, padded with zeros, as the ledger takes it. */
function words(ciphertext: Hex) {
  const padded = padHex(ciphertext, { dir: "right", size: 128 });
  const word = (at: number) => sliceHex(padded, 32 * at, 32 * at + 32);
  return [word(0), word(1), word(2), word(3)] as const;
}

type SignedDocument = Awaited<ReturnType<typeof preparePayment>>;

/** Submits a signed payment to the chain without the service, as anyone may. The wallet pays the gas. */
export async function carry(context: Context, walletKey: Hex, document: SignedDocument): Promise<void> {
  if (document.kind !== "transfer") throw new Error("this is a confidential payment");
  const coordinate = (index: number) => BigInt(sliceHex(document.proof as Hex, 32 * index, 32 * index + 32));
  const proof = {
    a: [coordinate(0), coordinate(1)],
    b: [
      [coordinate(2), coordinate(3)],
      [coordinate(4), coordinate(5)],
    ],
    c: [coordinate(6), coordinate(7)],
  } as const;
  const params = {
    account: document.account,
    to: document.to,
    asset: document.asset,
    newAvailable: BigInt(document.new_available),
    note: BigInt(document.note),
    deadline: BigInt(document.deadline),
    recipientCiphertext: words(document.recipient_ciphertext),
    payerCiphertext: words(document.payer_ciphertext),
  };
  const args = [params, proof, document.signature] as const;
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: "transfer", args });
  const { rpcUrl, ledger, client } = await context.chain();
  const carrier = createWalletClient({ account: privateKeyToAccount(walletKey), transport: http(rpcUrl) });
  const hash = await carrier.sendTransaction({ to: ledger, data, chain: null });
  const { status } = await client.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`the ledger refused ${hash}`);
}

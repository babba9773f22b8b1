import { setTimeout as sleep } from "node:timers/promises";
import type { Address, Hex } from "viem";
import type { ChainId } from "@/lib/base/network";
import { sendRaw } from "@/lib/chain/broadcast";
import { chainEnv, publicClient } from "@/lib/chain/clients";
import { currentFees } from "@/lib/chain/fees";
import { FAUCET_POSITION, relayerAccount } from "@/lib/chain/relayer";
import { signTransaction } from "@/lib/chain/sign-transaction";

/** Sends a call from the faucet's account, without the service. */
export async function sendFromFaucet(chainId: ChainId, data: Hex): Promise<void> {
  const faucet = relayerAccount(chainId, FAUCET_POSITION);
  const { address } = faucet;
  const nonce = await publicClient(chainId).getTransactionCount({ address, blockTag: "pending" });
  const call = { target: chainEnv(chainId).ledger as Address, data, value: 0n, gas: 1_500_000n };
  const { raw, hash } = await signTransaction(chainId, faucet, nonce, call, await currentFees(chainId));
  // A broadcast may get lost: it is repeated, as the worker repeats those of the service.
  for (let look = 0; ; look += 1) {
    if (look % 40 === 0) await sendRaw(chainId, raw).catch(() => {});
    const receipt = await publicClient(chainId)
      .getTransactionReceipt({ hash })
      .catch(() => null);
    if (receipt?.status === "success") return;
    if (receipt) throw new Error("the ledger refused what the owner sent alone");
    await sleep(20);
  }
}

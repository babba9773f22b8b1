import { encodeFunctionData, zeroAddress } from "viem";
import { db } from "@/db/client";
import type { FaucetInput } from "@/lib/balances/faucet/schema";
import { assetBySymbol, unitsOf } from "@/lib/base/assets";
import type { WalletContext } from "@/lib/base/context/wallet-context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { testUsdgAbi } from "@/lib/chain/abi/test-usdg";
import { broadcast } from "@/lib/chain/broadcast";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { FAUCET_POSITION } from "@/lib/chain/relayer";

const MOST = 10_000_000n;
const VALID_MS = 3600_000;

/**
 * Gives the wallet test money: mints USDG or sends ETH. Only on local chains.
 *
 * @throws ApiError `not_found` on other chains, `invalid_request` for an amount over 10,000,000
 */
export async function requestFaucet(
  ctx: WalletContext,
  input: FaucetInput,
): Promise<{ operation: SubmittedOperation; asset: string; tokens: bigint }> {
  if (!env().chains[ctx.network].local) throw new ApiError("not_found", "There is a faucet on local chains only.");
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const units = unitsOf(asset, input.amount);
  if (units > MOST * 10n ** BigInt(asset.decimals)) {
    throw new ApiError("invalid_request", "The faucet gives up to 10,000,000 at a time.", { param: "amount" });
  }
  const tokens = units * asset.unit;
  const { address } = ctx;
  const deadline = new Date(Date.now() + VALID_MS);
  const common = { chainId: ctx.chainId, account: address, deadline, position: FAUCET_POSITION };
  const operation = await db().transaction((tx) =>
    asset.address === zeroAddress
      ? submitOperation(tx, { ...common, kind: "gas", target: address, data: "0x", value: tokens })
      : submitOperation(tx, {
          ...common,
          kind: "mint",
          target: asset.address,
          data: encodeFunctionData({ abi: testUsdgAbi, functionName: "mint", args: [address, tokens] }),
        }),
  );
  broadcast(operation);
  return { operation, asset: asset.symbol, tokens };
}

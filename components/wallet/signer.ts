"use client";

import { type Address, type Hex, isAddressEqual, type TypedDataDefinition } from "viem";
import { useChains, useConfig, useConnection, useSignMessage, useSignTypedData, useSwitchChain } from "wagmi";
import { HalcyonError } from "@/sdk/api/errors";
import type { SignatureRequest } from "./signature-request";
import { wrongWallet } from "./wrong-wallet";

interface Cause {
  name?: string;
  code?: unknown;
  message?: string;
  shortMessage?: string;
  /** What the wallet itself said, in an error of viem. */
  details?: string;
}

/** Returns an error and its causes: wallet errors wrap each other. */
function causes(thrown: unknown): Cause[] {
  const found: Error[] = [];
  for (let error = thrown; error instanceof Error; error = error.cause) found.push(error);
  return found;
}

/** Like {@link walletError}, for a failed switch to another chain: names the chain. */
function switchError(thrown: unknown, chainId: number, name: string): HalcyonError {
  if (!isDeclined(thrown)) return walletError(thrown);
  const message = `Halcyon needs the network ${name} (${chainId}) in your wallet. Try again, and accept it there.`;
  return new HalcyonError("invalid_request", message, { cause: thrown });
}

/** Returns whether the person declined (EIP-1193: 4001). Some wallets say it as ethers does, or in words alone. */
function isDeclined(thrown: unknown): boolean {
  return causes(thrown).some(
    ({ name, code, message = "", details = "" }) =>
      name === "UserRejectedRequestError" ||
      code === 4001 ||
      code === "ACTION_REJECTED" ||
      /^(metamask.*: )?user (denied|rejected)/i.test(details || message),
  );
}

/**
 * Like {@link walletError}, for a transaction. Unless the person declined, or the wallet was not connected, was on another
 * chain or does not send transactions, it may have sent it: `mayHaveHappened`.
 */
export function transactionError(thrown: unknown): HalcyonError {
  const error = walletError(thrown);
  const isUnasked = causes(thrown).some(({ name = "" }) =>
    /^(Connector|ChainMismatch|ChainNotFound|Method|UnsupportedProviderMethod)/.test(name),
  );
  return isUnasked || isDeclined(thrown) ? error : Object.assign(error, { mayHaveHappened: true });
}

/** Returns a wallet's error in words for its owner. */
export function walletError(thrown: unknown): HalcyonError {
  if (thrown instanceof HalcyonError) return thrown;
  const chain = causes(thrown);
  if (isDeclined(thrown)) {
    const message = "You declined in your wallet. Nothing has happened; try again when you are ready.";
    return new HalcyonError("invalid_request", message, { cause: thrown });
  }
  if (chain.some(({ code }) => code === -32002)) {
    const message = "Your wallet is already waiting for you. Open it, respond there, then try again.";
    return new HalcyonError("invalid_request", message, { cause: thrown });
  }
  if (chain.some(({ name }) => name === "ChunkLoadError")) {
    const message = "A part of this page could not be loaded. Check your connection and try again.";
    return new HalcyonError("unavailable", message, { cause: thrown });
  }
  const said = chain.find(({ shortMessage }) => shortMessage)?.shortMessage ?? chain[0]?.name ?? "an unknown error";
  return new HalcyonError("unavailable", `Your wallet said: ${said}`, { cause: thrown });
}

/**
 * Returns a function that signs the vault's requests with the connected wallet, which must be the owner's. Wallets
 * refuse typed data for a chain they are not on, so it switches to that chain, or adds it, first. If the request is over
 * by then, which `isWanted` says, the wallet is not asked.
 */
export function useSigner(owner: Address): (request: SignatureRequest, isWanted: () => boolean) => Promise<Hex> {
  const { address, chainId: active } = useConnection();
  // The unlock signature is a key, so no cache may keep it.
  const { mutateAsync: signTypedData, reset: forgetTyped } = useSignTypedData({ mutation: { gcTime: 0 } });
  const { mutateAsync: signMessage } = useSignMessage({ mutation: { gcTime: 0 } });
  const { mutateAsync: switchChain } = useSwitchChain();
  const chains = useChains();
  const config = useConfig();

  const onChain = async (chainId: number) => {
    if (active === chainId) return;
    const name = chains.find(({ id }) => id === chainId)?.name ?? "it runs on";
    await switchChain({ chainId }).catch((thrown: unknown) => {
      throw switchError(thrown, chainId, name);
    });
  };
  return async (request, isWanted) => {
    const requireWanted = () => {
      if (!isWanted()) throw new HalcyonError("aborted", "You did not sign.");
    };
    try {
      if (!address) throw new HalcyonError("unauthorized", "No wallet is connected. Choose one.");
      if (!isAddressEqual(address, owner)) throw wrongWallet(owner, address);
      if (request.kind === "message") return await signMessage({ message: request.message, account: address });
      if (request.kind === "transaction") {
        await onChain(request.chainId);
        const { sendTransaction } = await import("./send-transaction");
        requireWanted();
        const transaction = { ...request.call, account: address, chainId: request.chainId };
        return await sendTransaction(config, transaction).catch((thrown: unknown) => {
          throw transactionError(thrown);
        });
      }
      const { domain } = request.data;
      if (domain.chainId !== undefined) await onChain(domain.chainId);
      requireWanted();
      const data = request.data as TypedDataDefinition;
      // The check loads elliptic-curve code. Start while the wallet signs.
      const checking = import("./require-signer");
      checking.catch(() => {});
      const signature = await signTypedData({ ...data, account: address });
      forgetTyped();
      const { requireConnectedSigner } = await checking;
      await requireConnectedSigner(data, signature, owner, request.byContract === true);
      return signature;
    } catch (thrown) {
      throw walletError(thrown);
    }
  };
}

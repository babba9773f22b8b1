import type { Address, Hex } from "viem";
import { Call } from "../api/call";
import { HalcyonError } from "../api/errors";

/** EIP-712 typed data, as `eth_signTypedData_v4` takes it. */
export interface WalletTypedData {
  domain: { name?: string; version?: string; chainId?: number; verifyingContract?: Address; salt?: Hex };
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
}

/** A transaction of the wallet's own. Amounts in wei. */
export interface WalletCall {
  to: Hex;
  data?: Hex;
  value?: bigint;
}

/**
 * The owner's wallet as the SDK uses it, wherever its key is: viem's local accounts are such wallets, and so is what asks
 * a browser's extension.
 */
export interface Wallet {
  readonly address: Address;
  /** Signs without a person: what falls due (a renewal) is done by the way. */
  readonly unattended?: boolean;
  /**
   * A contract (ERC-1271): several signers may take their time, and sign differently each time. So a recovery code decrypts its
   * account's key, and payments wait while it signs. The chain is asked when left out.
   */
  readonly isContract?: boolean;
  /**
   * Signs by EIP-712: 65 bytes, the same for the same data each time. A contract's has 1 to 4096 bytes, which its code checks.
   */
  signTypedData(data: WalletTypedData): Promise<Hex>;
  /** Signs a text by EIP-191. */
  signMessage(input: { message: string }): Promise<Hex>;
  /**
   * Signs and sends a transaction and returns its hash. Only ETH deposits and recoveries need it.
   *
   * @param rpcUrl JSON-RPC address of the chain it is for
   * @param options.signal ends it while nothing has been sent; once something has, the hash is returned all the same
   */
  sendTransaction?(call: WalletCall, rpcUrl: string, options?: { signal?: AbortSignal | undefined }): Promise<Hex>;
}

/**
 * Sends from the wallet.
 *
 * @param call whose signal ends it while nothing has been sent
 * @throws HalcyonError `invalid_request` when the wallet only signs; CallAborted
 */
export async function sendWith(
  wallet: Wallet,
  transaction: WalletCall,
  rpcUrl: string,
  call: Call = new Call(),
): Promise<Hex> {
  call.throwIfAborted();
  if (wallet.sendTransaction) return wallet.sendTransaction(transaction, rpcUrl, { signal: call.signal });
  throw new HalcyonError("invalid_request", "This wallet signs messages but sends no transactions. Use one that does.");
}

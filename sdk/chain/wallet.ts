import type { Address, Hex } from "viem";
import { Call } from "../api/call";
import { HalcyonError } from "../api/errors";

/** EIP-712 typed data for `eth_signTypedData_v4`. */
export interface WalletTypedData {
  domain: { name?: string; version?: string; chainId?: number; verifyingContract?: Address; salt?: Hex };
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  message: Record<string, unknown>;
}

/** A transaction for the wallet to send. Amounts in wei. */
export interface WalletCall {
  to: Hex;
  data?: Hex;
  value?: bigint;
}

/**
 * The owner's wallet, wherever its key is. viem's local accounts satisfy this interface, and so do wrappers of browser
 * extensions.
 */
export interface Wallet {
  readonly address: Address;
  /** The wallet signs without asking a person, so the client may do what is due, such as a renewal, along the way. */
  readonly unattended?: boolean;
  /**
   * Whether the wallet is a contract (ERC-1271). Its signers may take their time and sign differently each time, so the
   * account's key is decrypted with a recovery code, and other payments wait while it signs. If not set, the client
   * asks the chain.
   */
  readonly isContract?: boolean;
  /**
   * Signs EIP-712 typed data. Returns 65 bytes, always the same for the same data. A contract wallet returns 1 to 4096
   * bytes, which its code verifies.
   */
  signTypedData(data: WalletTypedData): Promise<Hex>;
  /** Signs a text (EIP-191). */
  signMessage(input: { message: string }): Promise<Hex>;
  /**
   * Signs and sends a transaction, and returns its hash. Needed only for ETH deposits and recovery.
   *
   * @param rpcUrl JSON-RPC address of the chain
   * @param options.signal aborts the call while nothing has been sent; after that, the hash is returned anyway
   * @param options.leaving for wallets that ask a person: await it before asking. From then on, only an error with the
   *   code `aborted` or 4001 (EIP-1193) means that nothing was sent; after any other, the chain is searched.
   */
  sendTransaction?(
    call: WalletCall,
    rpcUrl: string,
    options?: { signal?: AbortSignal | undefined; leaving?: (() => Promise<unknown>) | undefined },
  ): Promise<Hex>;
}

/**
 * Sends a transaction from the wallet.
 *
 * @param call its signal aborts the call while nothing has been sent
 * @param leaving records the transaction before a person is asked
 * @throws HalcyonError `invalid_request` when the wallet can only sign; CallAborted
 */
export async function sendWith(
  wallet: Wallet,
  transaction: WalletCall,
  rpcUrl: string,
  call: Call = new Call(),
  leaving?: () => Promise<unknown>,
): Promise<Hex> {
  call.throwIfAborted();
  if (wallet.sendTransaction) return wallet.sendTransaction(transaction, rpcUrl, { signal: call.signal, leaving });
  throw new HalcyonError("invalid_request", "This wallet signs messages but sends no transactions. Use one that does.");
}

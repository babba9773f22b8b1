import type { ContextAccount } from "@/lib/base/context/context";
import { ApiError, isCopyOf } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";

/** Whose signer was refused, and what the ledger would have to show for it to be accepted. */
export interface RefusedSigner {
  chainId: ChainId;
  /** The account or agent whose record decides. */
  holder: Pick<ContextAccount, "address" | "rootAddress">;
  /** Reports whether the signer would be accepted if the ledger had this holder so. */
  isAccepted(party: LedgerParty): boolean | Promise<boolean>;
}

/**
 * For a signer that has expired: the final state decides. Only a renewal that the service is sending makes the refusal
 * `unavailable`.
 */
export const neverAccepted = (): boolean => false;

/**
 * The error for a signer that the ledger does not accept as far as it was read. A signer that is new may not be final
 * yet: pass the error through `unavailableWhileSignerChanges` (lib/agents), outside of any transaction.
 */
export class SignerRefused extends ApiError {
  static override readonly copyOf: string = "SignerRefused";
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isCopyOf("SignerRefused", value);
  }

  constructor(
    readonly refused: RefusedSigner,
    { code, publicMessage, param, errors, reason, retryAfter }: ApiError,
  ) {
    super(code, publicMessage, { param, errors, reason, retryAfter });
  }
}

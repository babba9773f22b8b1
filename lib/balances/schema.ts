import { z } from "zod";
import { AssetInput, LockToken, SecretVersion } from "@/lib/base/inputs";
import { authorityInput } from "@/lib/ledger/authority/authority-input";
import {
  ENCRYPTED_FLAG_LENGTH,
  ENCRYPTED_STATE_MAX_LENGTH,
  ENCRYPTED_STATE_MIN_LENGTH,
} from "@/lib/ledger/encrypted/available-state";
import { commitment, hexBytes, u64 } from "@/lib/ledger/prepare/document-fields";
import { SignedMakeAvailableSchema } from "@/lib/ledger/prepare/documents";

/** Names the available balance of an asset. */
const AvailableInput = z.strictObject({ asset: AssetInput.default("USDG") });

/** The query of `GET /api/ledger`. `after` is `next` of the page of notes before. */
export const LedgerQuery = AvailableInput.extend({
  after: z
    .string()
    .regex(/^(0|[1-9]\d{0,17})\.(0|[1-9]\d{0,8})$/, "after is `next` of the page before.")
    .transform((text) => {
      const [block = "", logIndex] = text.split(".");
      return { block: BigInt(block), logIndex: Number(logIndex) };
    })
    .optional(),
});

/**
 * The body of `POST /api/available-balances/lock`. `until` is the latest end, for a wallet whose signers need more
 * time.
 */
export const BalanceLockInput = AvailableInput.extend({ until: u64.optional() });

/** The body of `DELETE /api/available-balances/lock`. */
export const ReleaseLockInput = AvailableInput.extend({ lock_token: LockToken.optional() });

/**
 * The body of `POST /api/available-balances/sync`: the opening of the final commitment, encrypted again under the
 * account secret.
 */
export const SyncInput = z.strictObject({
  asset: AssetInput.default("USDG"),
  commitment,
  encrypted: hexBytes(ENCRYPTED_STATE_MIN_LENGTH, ENCRYPTED_STATE_MAX_LENGTH),
  flag: hexBytes(ENCRYPTED_FLAG_LENGTH),
  secret_version: SecretVersion,
});

/** The body of `POST /api/available-balances/abandon`: the ledger's `Abandon` struct, signed by the owner's wallet. */
export const AbandonInput = authorityInput("abandon");

/** The body of `POST /api/make-available`. */
export const MakeAvailableInput = z.strictObject({
  client_signed: SignedMakeAvailableSchema,
  lock_token: LockToken.optional(),
});

export type BalanceLockInput = z.infer<typeof BalanceLockInput>;
export type ReleaseLockInput = z.infer<typeof ReleaseLockInput>;
export type LedgerQuery = z.infer<typeof LedgerQuery>;
export type SyncInput = z.infer<typeof SyncInput>;
export type MakeAvailableInput = z.infer<typeof MakeAvailableInput>;

import { z } from "zod";
import { AddressInput } from "@/lib/accounts/schema";
import { SEALED_AGENT_WALLET_LENGTH } from "@/lib/ledger/agent-wallet";
import { SEALED_FLAG_LENGTH, SEALED_STATE_MAX_LENGTH, SEALED_STATE_MIN_LENGTH } from "@/lib/ledger/budget-state";
import { addressText, hexBytes, u64, word } from "@/lib/ledger/document-fields";
import { SEALED_HELD_LENGTH } from "@/lib/ledger/held";

/** A version of the budget secret, as a client names it. */
export const SecretVersion = z.int("secret_version counts from 1.").min(1).max(1_000_000);

/**
 * The body of `POST /api/budget-secret`: the ledger's `SetSpender`, signed by the wallet, and all that is sealed under the
 * account's secret, sealed under the next. A held payment whose text does not open is named with null: it stays as it is.
 */
export const RotateInput = z.strictObject({
  secret_version: SecretVersion,
  spender: AddressInput,
  spender_until: u64,
  deadline: u64,
  signature: hexBytes(65),
  budgets: z.array(
    z.strictObject({
      account: addressText,
      asset: addressText,
      word,
      sealed: hexBytes(SEALED_STATE_MIN_LENGTH, SEALED_STATE_MAX_LENGTH),
      flag: hexBytes(SEALED_FLAG_LENGTH),
    }),
  ),
  agents: z.array(z.strictObject({ account_id: z.string(), wallet: hexBytes(SEALED_AGENT_WALLET_LENGTH) })),
  held: z.array(z.strictObject({ transaction_id: z.string(), sealed: hexBytes(SEALED_HELD_LENGTH).nullable() })),
});

export type RotateInput = z.infer<typeof RotateInput>;

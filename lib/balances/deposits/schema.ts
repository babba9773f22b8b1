import { z } from "zod";
import { AddressInput } from "@/lib/accounts/schema";
import { hexBytes, u64 } from "@/lib/ledger/prepare/document-fields";

const UINT256_DIGITS = 78;
const uint256 = z
  .string("Send a whole number as a decimal string.")
  .max(UINT256_DIGITS)
  // Without `abort`, zod also runs the next check, where BigInt throws for text that is not a number.
  .regex(/^(0|[1-9][0-9]*)$/, { error: "Send a whole number as a decimal string.", abort: true })
  .refine((text) => BigInt(text) < 1n << 256n, "The number is too large.");

/** The body of `POST /api/deposits`: an EIP-3009 `ReceiveWithAuthorization` to the ledger. */
export const CreateDepositInput = z.strictObject({
  asset: z.literal("USDG", "USDG is deposited by authorization; ETH by the wallet's own transaction.").default("USDG"),
  from: AddressInput,
  value: uint256,
  valid_after: u64,
  valid_before: u64,
  nonce: hexBytes(32),
  signature: hexBytes(65),
});

export type CreateDepositInput = z.infer<typeof CreateDepositInput>;

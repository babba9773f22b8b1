import { z } from "zod";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { AssetInput, IncludeQuery, LockToken, RecipientInput } from "@/lib/base/inputs";
import { BATCH_PAYMENTS } from "@/lib/ledger/encrypted/batch-copy";
import { SignedBatchSchema } from "@/lib/ledger/prepare/documents";
import { BlindBatch, createBlindBatch } from "./blind/create-blind-batch";
import { createClientSignedBatch } from "./create-client-signed-batch";
import { BATCH_DETAILS, ScheduleRunInput } from "./schema";
import { toEncryptedTransfer, toTransferResource } from "./transfer-resource";
import type { TransferView } from "./transfer-view";

/** The body of `POST /v1/transfers/batch`: payments that a client has built with a home key, or that its owner signed. */
export const BatchInput = z
  .strictObject({
    blind: BlindBatch.optional(),
    asset: AssetInput.optional().meta({ description: "Of `client_signed`. `USDG` when left out." }),
    payments: z
      .array(z.strictObject({ to: RecipientInput, ...BATCH_DETAILS }), "List the payments.")
      .min(2)
      .max(BATCH_PAYMENTS)
      .optional()
      .meta({ description: "With `client_signed`: whom it pays, in its order." }),
    client_signed: SignedBatchSchema.optional().meta({
      description: "With a session: 2 to 16 confidential payments, which your wallet has signed.",
    }),
    lock_token: LockToken.optional(),
    schedule_run: ScheduleRunInput.optional(),
  })
  .superRefine(({ blind, lock_token: _, ...signed }, context) => {
    const refuse = (param: string, message: string) =>
      context.addIssue({ code: "custom", path: [param], message, input: undefined });
    const beside = Object.entries(signed).find(([, value]) => value !== undefined)?.[0];
    if (blind && beside) refuse(beside, `Payments with a home key bring no \`${beside}\` beside them.`);
    if (!blind && !signed.client_signed) refuse("client_signed", "Send either client_signed or blind.");
    if (signed.client_signed && !signed.payments) refuse("payments", "List the payments.");
  })
  .meta({ id: "CreateTransferBatch", description: "Payments that share a proof. The SDK creates it." });
type BatchInput = z.infer<typeof BatchInput>;

/** The query of `POST /v1/transfers/batch`. */
export const BatchQuery = z.strictObject({ include: IncludeQuery });

/** Payments that were made together, and whether their encrypted copies were asked for. */
export interface CreatedBatch {
  transfers: TransferView[];
  include?: "encrypted" | undefined;
}

/**
 * Makes 2 to 16 payments with one proof. If one of them can't be paid, none is made.
 *
 * @throws the errors of createBlindBatch and createClientSignedBatch; ApiError `invalid_request` for what belongs to the
 *   other kind of caller
 */
export async function createBatch(
  ctx: Context,
  { blind, client_signed: document, payments = [], ...rest }: BatchInput,
  { include }: z.infer<typeof BatchQuery>,
  beforeCommit: BeforeCommit<CreatedBatch>,
): Promise<CreatedBatch> {
  if (blind) {
    // A repetition gets what is stored, which has no copies.
    if (include) throw refused("include", "The encrypted copies come with `client_signed` only.");
    const transfers = await createBlindBatch(ctx, blind, rest.lock_token, (tx, made) =>
      beforeCommit(tx, { transfers: made }),
    );
    return { transfers };
  }
  if (ctx.actor === "key")
    throw refused("client_signed", "An API key sends `blind`; `client_signed` is for a session.");
  if (!document) throw new Error("a batch of a session is signed");
  const transfers = await createClientSignedBatch(ctx, { ...rest, payments, client_signed: document });
  return { transfers, include };
}

/** Serializes payments that were made together. */
export function toCreatedBatch({ transfers, include }: CreatedBatch) {
  return { transfers: transfers.map(include ? toEncryptedTransfer : toTransferResource) };
}

const refused = (param: string, message: string) => new ApiError("invalid_request", message, { param });

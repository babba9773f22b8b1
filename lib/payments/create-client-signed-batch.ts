import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { refuseDocument } from "@/lib/balances/check-document";
import { assetBySymbol } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID } from "@/lib/base/network";
import { claimBatch, type DetailsToClaim, runToPay } from "./claim-details";
import { countPayment } from "./count-payment";
import { checkPayer } from "./create-client-signed-transfer";
import { isOwnMove } from "./find-payer";
import { findReceiver } from "./find-receiver";
import { recordBatch } from "./record-transfer";
import { relayClientSigned } from "./relay-client-signed";
import type { BatchInput } from "./schema";
import type { TransferView } from "./transfer-view";

/**
 * Checks and relays 2 to 16 payments that the client has proved together, and records each like any other. If one of
 * them can't be paid, all are refused.
 *
 * @throws the errors of createClientSignedTransfer, naming the payment at fault
 */
export function createClientSignedBatch(ctx: SessionContext, input: BatchInput): Promise<TransferView[]> {
  return countPayment(
    () => pay(ctx, input),
    () => "paid",
    input.payments.length,
  );
}

async function pay(ctx: SessionContext, input: BatchInput): Promise<TransferView[]> {
  const { chainId, account: payer } = ctx;
  if (chainId === CHAIN_ID.live) await requireKyc(ctx);
  const { client_signed: document, payments } = input;
  const asset = assetBySymbol(chainId, input.asset);
  checkPayer(document, payer, asset);
  if (payments.length !== document.payments.length) {
    throw new ApiError("invalid_request", "Name the recipient of each payment of the document, in its order.", {
      param: "payments",
    });
  }
  const receivers = await Promise.all(payments.map(({ to }, index) => findPayee(ctx, to, index)));
  for (const [index, { recipient }] of receivers.entries()) {
    const field = `payments.${index}.to`;
    if (document.payments[index]?.to !== recipient.address) {
      throw refuseDocument(field, "The document pays another address than `to` stands for. Pin the right one.");
    }
  }
  const claims = receivers.map(({ recipient }, index) => ({
    ctx,
    payment: { payer, recipient: recipient.address, asset: asset.address, confidential: true },
    details: payments[index] && detailsOf(payments[index], input.schedule_run),
  }));
  const recipients = receivers.map(({ recipient }) => recipient);
  const act = { chainId, payer, asset, recipients, document, isFree: false };
  return relayClientSigned(
    ctx,
    {
      ...act,
      details: claims.map(({ details }) => details),
      lockToken: input.lock_token,
    },
    async (tx, relayed) => {
      const after = receivers.find(({ key }) => key?.pending)?.recipient.address;
      const claimed = await claimBatch(tx, claims);
      const payees = receivers.map(({ recipient }, index) => ({
        recipient,
        to: payments[index]?.to ?? "",
        details: claimed[index],
      }));
      const { operation, views } = await recordBatch(tx, { ...relayed, chainId, payer, payees, document, after });
      return { operation, created: views };
    },
  );
}

function detailsOf(payment: BatchInput["payments"][number], runId: string | undefined): DetailsToClaim {
  const { reference, unique_reference: uniqueReference, payment_request: paymentRequest } = payment;
  return { reference, uniqueReference, paymentRequest, scheduleRun: runToPay(runId) };
}

/**
 * Returns the recipient of the payment at `index` of a batch. Refuses the account's own agents, because moves between
 * an account and its agents are not payments.
 *
 * @throws the errors of findReceiver, naming the payment
 */
export async function findPayee(
  { chainId, account: payer }: Pick<SessionContext, "chainId" | "account">,
  to: string,
  index: number,
): ReturnType<typeof findReceiver> {
  const param = `payments.${index}.to`;
  try {
    const receiver = await findReceiver(chainId, payer, to, true);
    if (!isOwnMove(payer, receiver.recipient)) return receiver;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new ApiError(error.code, error.publicMessage, { param, retryAfter: error.retryAfter });
  }
  throw new ApiError("invalid_request", "Money moves between an account and its own agent by a payment of its own.", {
    param,
  });
}

import { db } from "@/db/client";
import { requireKyc } from "@/lib/accounts/kyc/require-kyc";
import { tryReadPolicy } from "@/lib/agents/pending-policy";
import { assetBySymbol } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { CHAIN_ID } from "@/lib/base/network";
import { requireRelayQuota } from "@/lib/chain/operations/relay-quota";
import { optimisticRead } from "@/lib/chain/optimistic-read";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { enforceClientSignedPolicy, ledgerTerms } from "./enforce-policy";
import { isOwnMove } from "./find-payer";
import { findReceiver } from "./find-receiver";
import type { CheckTransferInput } from "./schema";

/**
 * Checks whether a payment that the owner's client is about to prove and sign would be refused now: identity,
 * recipient, the agent's pause and policy, and today's quota. A client asks before it sends a signed document, because
 * a document that is refused afterwards could still reach the chain until its deadline. Records and counts nothing; the
 * amount stays on the client.
 *
 * @throws ApiError `kyc_required` (live network), `invalid_request`, `recipient_not_found`,
 *   `recipient_not_confidential_ready`, `policy_violation`, `policy_not_in_force`, `rate_limited`
 */
export async function checkTransfer(
  ctx: SessionContext,
  { act, to, asset: symbol, confidential, exact, mode }: CheckTransferInput,
): Promise<null> {
  const { chainId, account: payer } = ctx;
  const now = new Date();
  const asset = assetBySymbol(chainId, symbol);
  if (chainId === CHAIN_ID.live && (act === "payment" || act === "approval")) await requireKyc(ctx);
  if (to !== undefined) {
    const { recipient } = await findReceiver(chainId, payer, to, confidential);
    const isMove = act !== "approval" && isOwnMove(payer, recipient);
    // Any one-time address will do, because lists of recipients contain none.
    const through = exact ? recipient.address : undefined;
    await checkPolicy({ chainId, payer, asset, recipient, through }, isMove || act === "withdrawal", mode, now);
  }
  await requireRelayQuota(chainId, act === "deposit" ? payer.address : payer.rootAddress, now);
  return null;
}

/** Checks the policy: the service's rules for an agent's payment and, if a key signs, the ledger's. */
async function checkPolicy(
  act: Omit<Parameters<typeof enforceClientSignedPolicy>[1], "ledger">,
  isFree: boolean,
  mode: SpendMode,
  now: Date,
): Promise<void> {
  const byWallet = mode === SPEND_MODE.wallet;
  if (byWallet && (isFree || act.payer.type !== "agent")) return;
  await optimisticRead(
    () => tryReadPolicy(act.chainId, act.payer),
    (ledger) =>
      db().transaction((tx) => {
        const asked = { ...act, ledger };
        return isFree && !byWallet
          ? ledgerTerms(tx, asked, mode, now)
          : enforceClientSignedPolicy(tx, asked, mode, now);
      }),
  );
}

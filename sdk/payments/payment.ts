import { type Address, isAddressEqual } from "viem";
import type { AvailableOpening } from "@/lib/ledger/crypto/commitments";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { newSeed } from "@/lib/ledger/crypto/payment-seed";
import { newRequestTag } from "@/lib/ledger/crypto/request-tag";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import type { SignedPayment, SignedTransferMany } from "@/lib/ledger/prepare/documents";
import type { PaymentRequest } from "@/lib/ledger/prepare/payment-request";
import { completePlan } from "@/lib/ledger/prepare/plan";
import { planFund } from "@/lib/ledger/prepare/plan-fund";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planSpend } from "@/lib/ledger/prepare/plan-spend";
import { planSpendPublic } from "@/lib/ledger/prepare/plan-spend-public";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { addSpent } from "@/lib/policy/spent";
import { decryptAvailable, readView } from "../account/funds/funds";
import { type Party, partyAt } from "../account/party";
import { AvailableBalanceChangedError } from "../api/api-errors";
import type { LedgerView } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Context } from "../context/context";
import { authoritiesOf, chooseAuthority, type PaymentAuthority } from "./payment-authority";
import type { Recipient } from "./recipient";

/** A client-signed payment to one recipient. */
export type SinglePayment = Exclude<SignedPayment, SignedTransferMany>;

export interface PaymentInput {
  to: Recipient;
  asset: Asset;
  units: bigint;
  /** `release`: the amount is public on chain. `fund`: moves money between the account and its own agent. */
  kind: "transfer" | "release" | "fund";
  memo?: string;
  /** 32 bytes that identify what the payment is for. */
  binding?: Uint8Array;
  /** The `exact` seller it pays, if `to` is a one-time address. */
  seller?: Address | null;
  /** Whether it counts toward an agent's daily limit. */
  counted?: boolean;
}

/** The values by which a payment can be found again. They are the same in every attempt. */
export interface PaymentMarks {
  seed: Uint8Array;
  /** The `requestTag` of its idempotency key. A payment that the service signs under the same key carries it too. */
  tag: Uint8Array;
}

/** What stays the same across the documents of an attempt. Not needed for a payment that is prepared only once. */
export interface Attempted extends PaymentMarks {
  /** Unix seconds. */
  deadline: bigint;
  /** The available balance commitment that the document must replace. Default: the newest. */
  over?: bigint;
}

/**
 * Returns the kind of a payment. Payments between the account and its own agents, according to the chain, are `fund`.
 */
export function paymentKind(context: Context, payer: Party, to: Recipient, isPublic = false): PaymentInput["kind"] {
  if (isPublic) return "release";
  const owner = payer.type === "agent" ? to.address : to.owner;
  return isAddressEqual(owner, context.wallet.address) ? "fund" : "transfer";
}

/**
 * Returns the service's view of an available balance.
 *
 * @throws AvailableBalanceChangedError when the view is not over the requested commitment
 */
export async function viewOver(
  context: Context,
  payer: Party,
  asset: Asset,
  over: bigint | undefined,
): Promise<LedgerView> {
  const view = await readView(context, payer, asset);
  if (over === undefined || hexToCommitment(view.available.newest_commitment) === over) return view;
  throw new AvailableBalanceChangedError("The available balance has changed while this was being built.", {
    status: 409,
  });
}

async function planOwnMove(context: Context, request: PaymentRequest, asset: Asset) {
  const receiver = await partyAt(context, request.to);
  const view = await readView(context, receiver, asset);
  const toAvailable = decryptAvailable(request.scope, receiver, asset.address, view);
  return planFund({ ...request, toAvailable, toSecret: receiver.secret });
}

/**
 * Returns the viewing key of a recipient.
 *
 * @throws HalcyonError `recipient_not_confidential_ready` when the recipient is not enrolled
 */
export function viewingKeyOf({ viewingKey }: Recipient): Uint8Array {
  if (viewingKey) return viewingKey;
  throw new HalcyonError(
    "recipient_not_confidential_ready",
    "This recipient has not enrolled on this network. Send a public payment (`public: true`), or ask them to sign up first.",
  );
}

/** Reports whether a payment counts toward a daily limit. Payments that the wallet signs do not. */
const counts = ({ limited }: PaymentAuthority) => limited !== null && limited.terms.mode !== SPEND_MODE.wallet;

const countersAfter = ({ counting = null }: PaymentAuthority, { counters }: AvailableOpening, units: bigint) =>
  addSpent(counters, new Date(), units, counting);

/**
 * Builds, proves and signs a payment of the account or an agent on this machine, from the newest available balance
 * state. The service gets no amount and no key (docs/protocol.md section 7), except the amount of a public payment,
 * which the chain shows too.
 *
 * @throws InsufficientAvailableBalance, InvalidMemo, RefusedByPolicy; HalcyonError `recipient_not_confidential_ready`,
 * `policy_violation`, `policy_not_in_force`, `key_forbidden`
 */
export async function preparePayment(
  context: Context,
  payer: Party,
  input: PaymentInput,
  attempted?: Attempted,
): Promise<SinglePayment> {
  const { to, asset, kind } = input;
  const [scope, vault, prove, chain] = await Promise.all([
    context.scope(),
    context.vault(),
    context.prover(),
    context.chain(),
  ]);
  const once = async () => ({ seed: newSeed(), tag: newRequestTag(), deadline: await chain.deadline() });
  const { seed, tag, deadline, over }: Attempted = attempted ?? (await once());
  const authorities = await authoritiesOf(context, payer, input, deadline);
  // Read the available balance last: from here on, any other payment from it invalidates this one.
  const view = await viewOver(context, payer, asset, over);
  const available = decryptAvailable(scope, payer, asset.address, view);
  const authority = chooseAuthority(authorities, available, input.units);
  const { limited, sign } = authority;
  const request = {
    scope,
    account: payer.address,
    to: to.address,
    asset: asset.address,
    available,
    counters: counts(authority) ? countersAfter(authority, available, input.units) : undefined,
    amount: input.units,
    policyVersion: authority.policyVersion,
    deadline: authority.deadline,
    payerViewingKey: vault.viewingKey.publicKey,
    secret: payer.secret,
    memo: input.memo,
    binding: input.binding,
    seed,
    tag,
  };
  switch (kind) {
    case "release": {
      const open = { ...request, recipientViewingKey: to.viewingKey ?? undefined };
      if (limited) return completePlan(await planSpendPublic({ ...open, ...limited }), prove, sign);
      return completePlan(await planRelease(open), prove, sign);
    }
    case "fund":
      return completePlan(await planOwnMove(context, request, asset), prove, sign);
    case "transfer": {
      const encrypted = { ...request, recipientViewingKey: viewingKeyOf(to) };
      if (limited) return completePlan(await planSpend({ ...encrypted, ...limited }), prove, sign);
      return completePlan(await planTransfer(encrypted), prove, sign);
    }
  }
}

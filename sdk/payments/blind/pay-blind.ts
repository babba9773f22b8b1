import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Address, type Hex, isAddressEqual } from "viem";
import { type Decimals, parseAmount } from "@/lib/base/money";
import { fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import {
  type AvailableOpening,
  EMPTY_AVAILABLE,
  EMPTY_AVAILABLE_OPENING,
  readAvailableWord,
} from "@/lib/ledger/crypto/commitments";
import { epochPaymentSeed } from "@/lib/ledger/crypto/epoch-seed";
import { blindRequestTag, type Epochs, epochsOn, firstEpochs } from "@/lib/ledger/crypto/epochs";
import { hexToWord, wordToHex } from "@/lib/ledger/crypto/field";
import { hkdf } from "@/lib/ledger/crypto/hkdf";
import { paymentIdOf } from "@/lib/ledger/crypto/payment-id-of";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { MOST_SEEDS } from "@/lib/ledger/crypto/seed";
import type { PreparedRelease, PreparedTransfer, UnsignedPayment } from "@/lib/ledger/prepare/documents";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import type { Plan } from "@/lib/ledger/prepare/plan";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { hashApiKey } from "@/lib/ledger/seal/api-key";
import { openAvailableState } from "@/lib/ledger/seal/available-state";
import { type HomeContent, openHome } from "@/lib/ledger/seal/blind-key";
import { blindPartBytes, blindPartOf } from "@/lib/ledger/seal/blind-state";
import { parseHomeKey, planDigest, requestKeyOf, signWithRequestKey } from "@/lib/ledger/seal/home-key";
import type { CopyEpoch } from "@/lib/ledger/seal/payer-copy";
import { AvailableBalanceChangedError } from "../../api/api-errors";
import { HalcyonError } from "../../api/errors";
import type { Transfer } from "../../api/resources/transfers";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { chainOutcome, type Settled } from "../attempts/check-payment";
import { OutcomeUnknown } from "../attempts/outcome-unknown";
import type { PendingPayment } from "../attempts/pending-payment";
import { hasLeftNothing, isLost, postAgain } from "../attempts/post-again";
import type { Posted } from "../attempts/posted";
import type { SettledTransfer } from "../attempts/transfer-status";
import { isOpenedByOther } from "../attempts/unopened-seed";
import { viewingKeyOf } from "../payment";
import { bindingBytes, detailsBody } from "../payment-details";
import { recipientAt } from "../recipient";
import { type SendCall, settlePosted } from "../send";

/** How often a payment is built again when another one from the balance came first. */
const TRIES = 5;
const DAY = 86_400n;
/** No policy: blind keys pay from accounts without limits. */
const NO_POLICY = { version: 0n, hash: new Uint8Array(32) };

/** The response of `POST /v1/transfers/plan`. */
interface TransferPlan {
  account: Address;
  secret_version: number;
  home_wrap: Hex;
  recipient: Address;
  commitment: Hex;
  state: Hex | null;
}

/** A request's payment with one of its seeds, as the chain identifies it. */
interface Marked {
  seed: Uint8Array;
  epoch: CopyEpoch;
  name: { note: Hex } | { payment_id: Hex };
}

/** What this machine has of a blind key. */
interface Home {
  scope: Scope;
  homeKey: string;
  keyHash: Uint8Array;
  /** Signs a request with the request key. */
  sign(path: string, idempotencyKey: string, digest: Uint8Array): Hex;
}

async function homeOf(context: Context): Promise<Home> {
  const { apiKey, homeKey = "", network } = context;
  const { chainId } = parseHomeKey(homeKey);
  const scope = await context.scope();
  if (chainId !== scope.chainId) {
    throw new HalcyonError("invalid_request", `This home key is of the other network than ${network}.`, {
      param: "homeKey",
    });
  }
  const keyHash = hashApiKey(apiKey);
  const { secret } = requestKeyOf(homeKey, scope);
  return {
    scope,
    homeKey,
    keyHash,
    sign: (path, idempotencyKey, digest) =>
      signWithRequestKey(secret, { scope, keyHash, method: "POST", path, idempotencyKey, digest }),
  };
}

/**
 * Pays with a blind key: this machine decrypts the balance, builds the payment and proves it, and the service signs what
 * it can't read. A request's payment has one note, or payment id, on every machine with the home key, and the ledger
 * takes it once. So a request that is repeated never pays twice, whatever the service says.
 *
 * @throws HalcyonError the errors of a payment by API key; OutcomeUnknown when a document has left and neither the
 * service's response nor the chain shows what became of it
 */
export async function payBlind(context: Context, input: SendCall): Promise<Posted<Transfer>> {
  refuseOthers(input);
  const [home, info] = await Promise.all([homeOf(context), context.info()]);
  const id = input.idempotencyKey ?? crypto.randomUUID();
  let left: PendingPayment | undefined;
  for (let attempt = 1; ; attempt++) {
    const plan = await askPlan(context, home, input);
    const content = contentOf(home, plan);
    const built = await build(context, home, content, { input, id, plan, finality: info.finality });
    if ("seen" in built) return { response: null, ...built };
    const { document, digest, pending } = built;
    await input.onPending?.(pending);
    left = { ...pending, documents: [...(left?.documents ?? []), ...pending.documents] };
    const blind = {
      document,
      signature: home.sign("/v1/transfers", id, fromHex(digest)),
      fingerprint: fingerprintOf(home, content, id, input),
    };
    const json = {
      to: input.to,
      asset: input.asset ?? "USDG",
      confidential: !input.public,
      ...detailsBody(input),
      blind,
    };
    const headers = { ...context.bearer, "idempotency-key": id };
    try {
      const post = () => context.http.send("POST", "/v1/transfers", { json, headers });
      const { body } = await postAgain(context.call, post);
      return { response: body as Transfer, seen: null, pending: left };
    } catch (error) {
      if (error instanceof AvailableBalanceChangedError && attempt < TRIES) continue;
      if (hasLeftNothing(error) || !isLost(error)) throw error;
      const seen = await seenNow(context, left);
      if (seen) return { response: null, seen, pending: left };
      throw new OutcomeUnknown(left, toHalcyonError(error));
    }
  }
}

/** Pays with a blind key, and waits for the chain. Implements `transfers.create` with a home key. */
export async function sendBlind(context: Context, input: SendCall): Promise<SettledTransfer> {
  return settlePosted(context, input, await payBlind(context, input));
}

/** Refuses what blind keys don't pay yet, before anything is asked. */
function refuseOthers({ exact, pending, from }: SendCall): void {
  const what = exact ? "a seller of the scheme `exact`" : from !== undefined ? "for another account" : undefined;
  if (pending) throw new HalcyonError("invalid_request", "Repeat the call with its idempotencyKey instead of pending.");
  if (what === undefined) return;
  throw new HalcyonError("key_forbidden", `A blind key does not pay ${what} yet. Use a plain key or the wallet.`);
}

async function askPlan(context: Context, { sign }: Home, { to, asset = "USDG" }: SendCall): Promise<TransferPlan> {
  const path = "/v1/transfers/plan";
  const json = { to, asset, signature: sign(path, "", planDigest(to, asset)) };
  return (await context.http.send("POST", path, { json, headers: context.bearer })).body as TransferPlan;
}

/**
 * Decrypts what the home key opens. Everything that a payment is built from is taken from here or from the chain.
 *
 * @throws HalcyonError `key_forbidden` for a home key of another API key
 */
function contentOf({ scope, homeKey, keyHash }: Home, plan: TransferPlan): HomeContent {
  const place = { scope, holder: plan.account, version: plan.secret_version };
  try {
    const content = openHome(homeKey, keyHash, place, fromHex(plan.home_wrap));
    if (content.scope.domainSalt.toLowerCase() === scope.domainSalt.toLowerCase()) return content;
  } catch {
    // Explained below.
  }
  throw new HalcyonError(
    "key_forbidden",
    "This home key does not belong to the API key. Give the two that were created together. Nothing was sent.",
  );
}

/** Decrypts the newest balance. */
function openState({ scope }: Home, content: HomeContent, asset: Address, plan: TransferPlan): AvailableOpening {
  const commitment = hexToWord(plan.commitment);
  if (commitment === EMPTY_AVAILABLE || plan.state === null) return EMPTY_AVAILABLE_OPENING;
  try {
    const ref = { scope, account: content.holder, asset, commitment };
    return openAvailableState(content.knowledge, ref, fromHex(plan.state));
  } catch {
    throw new HalcyonError(
      "sync_required",
      "The available balance can't be decrypted with this home key. Let the account's owner sync it with `halcyon sync`.",
    );
  }
}

interface Building {
  input: SendCall;
  id: string;
  plan: TransferPlan;
  finality: Awaited<ReturnType<Context["info"]>>["finality"];
}

type Built =
  | { document: UnsignedPayment; digest: Hex; pending: PendingPayment }
  | { seen: Settled; pending: PendingPayment };

/** Builds and proves the payment over the newest balance; or returns what the chain shows of it already. */
async function build(
  context: Context,
  home: Home,
  content: HomeContent,
  { input, id, plan, finality }: Building,
): Promise<Built> {
  const { scope } = home;
  const { knowledge, holder: account, viewingKey: payerViewingKey } = content;
  const asset = assetOf(content, input.asset);
  const amount = parseAmount(input.amount, asset.decimals as Decimals);
  const [to, chain, prove] = await Promise.all([
    recipientAt(context, account, input.to, plan.recipient),
    context.chain(),
    context.prover(),
  ]);
  const kind = input.public ? ("release" as const) : ("transfer" as const);
  if (isAddressEqual(to.owner, account)) {
    throw new HalcyonError("key_forbidden", "A blind key does not move money to your agents yet. Use the wallet.");
  }
  const binding = bindingBytes(input.binding, kind);
  const available = openState(home, content, asset.address, plan);
  const [final, finalWord, block, deadline] = await Promise.all([
    chain.client.getBlock({ blockTag: finality }),
    chain.availableOf(account, asset.address, finality),
    chain.client.getBlockNumber(),
    chain.deadline(),
  ]);
  const isFinal = readAvailableWord(finalWord) === hexToWord(plan.commitment);
  const day = final.timestamp / DAY;
  const epochs = available.blind ? epochsOn(blindPartOf(available.blind).epochs, day, isFinal) : firstEpochs(day);
  const tag = blindRequestTag(knowledge, scope, account, home.keyHash, id);
  const nameOf = (seed: Uint8Array) =>
    kind === "release"
      ? { payment_id: paymentIdOf(seed, scope) }
      : { note: wordToHex(noteOf(seed, scope, to.address, asset.address, amount).word) };
  const record = (name: Marked["name"]): PendingPayment => ({
    ...{ version: 1, id, kind, chain_id: scope.chainId, ledger: scope.ledger, account },
    ...{ to: to.address.toLowerCase() as Address, asset: asset.address, ...name },
    ...{ since_block: block.toString(), documents: [] },
  });
  const marked = await unusedMarks(context, { epochs, scope, tag, nameOf, payer: account, to: to.address, asset });
  if ("paid" in marked) {
    const { enrolledBlock } = await chain.account(account);
    const pending = { ...record(marked.paid), since_block: enrolledBlock.toString() };
    const seen = await seenNow(context, pending);
    if (seen) return { seen, pending };
    throw new OutcomeUnknown(pending);
  }
  const request = {
    scope,
    account,
    to: to.address,
    asset: asset.address,
    available,
    amount,
    deadline,
    payerViewingKey,
    secret: knowledge,
    policyVersion: (await chain.account(account)).policyVersion,
    memo: input.memo,
    seed: marked.seed,
    epoch: marked.epoch,
    tag,
    blind: blindPartBytes({ epochs, policy: NO_POLICY, tags: [tag] }),
  };
  const planned: Plan<PreparedTransfer> | Plan<PreparedRelease> =
    kind === "release"
      ? await planRelease({ ...request, recipientViewingKey: to.viewingKey ?? undefined })
      : await planTransfer({ ...request, binding, recipientViewingKey: viewingKeyOf(to) });
  const { draft, call } = planned;
  const { proof } = await prove(call.circuit, planned.input);
  const { old_available: old_word, new_available: new_word } = draft;
  const documents = [{ old_word, new_word, policy_version: draft.policy_version, deadline: Number(deadline) }];
  return { document: { ...draft, proof }, digest: call.digest, pending: { ...record(marked.name), documents } };
}

function assetOf({ assets }: HomeContent, symbol = "USDG") {
  const found = assets.find((asset) => asset.symbol === symbol);
  if (found) return found;
  throw new HalcyonError("invalid_request", `This home key knows no asset ${symbol}.`, { param: "asset" });
}

/**
 * Returns the seed with which the request pays now, or the name under which it has paid. An earlier try may have had the
 * seed of the epoch before.
 */
async function unusedMarks(
  context: Context,
  {
    epochs,
    scope,
    tag,
    nameOf,
    payer,
    to,
    asset,
  }: {
    epochs: Epochs;
    scope: Scope;
    tag: Uint8Array;
    nameOf(seed: Uint8Array): Marked["name"];
    payer: Address;
    to: Address;
    asset: { address: Address };
  },
): Promise<Marked | { paid: Marked["name"] }> {
  const chain = await context.chain();
  let unused: Marked | undefined;
  for (const epoch of [epochs.previous, epochs.current]) {
    if (!epoch) continue;
    unused = undefined;
    for (let opened = 0; opened < MOST_SEEDS && !unused; opened++) {
      const seed = epochPaymentSeed(epoch, scope, tag, opened);
      const name = nameOf(seed);
      const isUsed =
        "note" in name
          ? (await chain.noteStatus(to, asset.address, hexToWord(name.note))) !== 0
          : await chain.paymentIdUsed(payer, name.payment_id);
      if (!isUsed) unused = { seed, name, epoch: { seed: epoch.seed, opened } };
      else if (!("note" in name)) return { paid: name };
      else if (!(await isOpenedByOther(context, { payer, asset: asset.address }, [{ to, note: name.note }]))) {
        return { paid: name };
      }
    }
  }
  if (unused) return unused;
  throw new HalcyonError("unavailable", "Someone opens the notes of this payment each time, so nothing is sent.");
}

/** Returns what the chain shows of a payment now; null if nothing, or the chain does not respond. */
async function seenNow(context: Context, pending: PendingPayment): Promise<Settled | null> {
  const shown = await chainOutcome(context, pending).catch(() => null);
  return shown?.outcome === "settled" ? shown : null;
}

/** MAC of the request as its caller sees it, so that the same key with another payment is refused. */
function fingerprintOf({ scope }: Home, { knowledge }: HomeContent, id: string, input: SendCall): Hex {
  const { to, amount, asset = "USDG", memo = null, binding = null, public: isPublic = false } = input;
  const asked = { id, to, amount, asset, memo, binding, public: isPublic, ...detailsBody(input) };
  const key = hkdf(knowledge, "request fingerprint", scope);
  return toHex(hmac(sha256, key, utf8(JSON.stringify(asked))));
}
